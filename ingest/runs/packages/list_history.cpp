#include "ingest/runs/packages/list_history.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string_view>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/errors/error.hpp"
#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view unreadable = "can't be read, and counts as it was before";

void refuse_large_list(std::uintmax_t bytes) {
    constexpr std::uintmax_t most_bytes = 4 << 20;
    if (bytes > most_bytes) {
        throw Problem("expected a wish list of at most 4 MiB, found a larger one");
    }
}

// "PATH:3: expected ...": the line, and what is wrong.
WishFinding finding_of(std::string_view problem, const std::string& path) {
    WishFinding finding{1, ""};
    if (take_prefix(problem, path) && take_prefix(problem, ":")) {
        const auto [end, error] =
            std::from_chars(problem.data(), problem.data() + problem.size(), finding.line);
        if (error == std::errc()) {
            problem.remove_prefix(static_cast<std::size_t>(end - problem.data()));
            take_prefix(problem, ":");
        }
        take_prefix(problem, " ");
    }
    finding.detail = fmt::format("{}: {}", unreadable, problem);
    return finding;
}

}  // namespace

void ListHistory::change(const ChangedList& list, Moment moment) {
    if (!list.text) {
        set(list, {}, moment);
        return;
    }
    GitBlob blob;
    WishList wanted;
    try {
        blob = repository_.blob(*list.text, refuse_large_list);
        wanted = read_wish_list(blob.text, list.path);
    } catch (const Problem& problem) {
        keep(list, problem.text, moment);
        return;
    } catch (const InputError& error) {
        if (!blob.owner) {
            throw;  // not of the list: the repository is damaged
        }
        keep(list, error.what(), moment);
        return;
    }
    set(list, wanted, moment);
}

void ListHistory::keep(const ChangedList& list, const std::string& problem, Moment moment) {
    std::vector<WishFinding> findings = findings_.current(list.path);
    std::erase_if(findings, [](const WishFinding& finding) {
        return finding.detail.starts_with(unreadable);
    });
    findings.push_back(finding_of(problem, list.path));
    findings_.set(list.path, findings, moment);
}

void ListHistory::set(const ChangedList& list, const WishList& wanted, Moment moment) {
    std::map<std::string, std::vector<Wish>> by_stack = {{list.stack, wanted.wishes}};
    for (const std::string& stack : wishes_.stacks_in(list.path)) {
        by_stack.try_emplace(stack);  // a group that is gone has no wishes
    }
    for (const Wish& wish : wanted.wishes) {
        if (wish.group.starts_with(list.stack + "-")) {
            by_stack[wish.group].push_back(wish);
        }
    }
    for (const auto& [stack, wishes] : by_stack) {
        wishes_.set(stack, list.path, wishes, moment);
    }
    findings_.set(list.path, wanted.findings, moment);
}

}  // namespace cacheledger
