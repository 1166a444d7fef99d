#pragma once

#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/render/document/document.hpp"

/// What the documents of one coverage and of several share.
namespace cacheledger {

/// "96.6 %", "96.6 % (98.0 % at site@2025-05-01T00:00:00Z)".
std::string percents_of(const Coverage& coverage);

/// Coverage::remarks, with Coverage::better.
std::vector<std::string> all_remarks(const Coverage& coverage);

/// "632 of 634 binaries are there. To build: 2 (cscope, libaec)."
std::string sentence_of(const Coverage& coverage, bool with_build_dependencies);

/// "Build time: 42 min (2 of 3 times known). Longest known chain: 30 min (cmake -> hdf5)." With
/// Coverage::cost.
std::string sentence_of_cost(const Coverage& coverage);

/// "Spack before 1.2 builds 2 more: flex and py-calver (--all-build-dependencies)." `packages`: one
/// name for each build.
std::string sentence_of_old_installer(std::vector<std::string> packages);

/// "To fetch: 44 builds, at least 1.3 GB (41 of 44 sizes known)."
std::string sentence_of(const ToFetch& to_fetch);

/// The gates of the conditions, in the order of their members.
std::vector<Gate> gates_of(const Coverage& coverage, const CoverageConditions& conditions);

/// The first members of the JSON object, up to the remarks.
std::vector<DocumentField> count_fields(const Coverage& coverage);

/// What must be built as people are shown it.
DocumentPart build_part(const Coverage& coverage);
/// The same with whole hashes.
DocumentPart whole_build_part(const Coverage& coverage);

/// A document without gates, tables and fields.
Document headed_document(const Coverage& coverage, bool with_build_dependencies);

/// Of several caches: what each gives, and what the later ones add; nothing of one. `is_whole`: all
/// that is there, with whole hashes. `of_lists`: Coverage::there of lists that count, too.
std::vector<DocumentPart> parts_of_caches(const Coverage& coverage, bool is_whole,
                                          const std::vector<ResultTable>& of_lists = {});

/// Coverage::caches and Coverage::there of several caches.
void add_cache_fields(const Coverage& coverage, std::vector<DocumentField>& fields,
                      const std::vector<ResultTable>& of_lists = {});

}  // namespace cacheledger
