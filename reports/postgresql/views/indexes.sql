-- What the reports look up in a published ledger, beside the primary keys. The names are unqualified: the schema of the ledger is the
-- first of search_path.
CREATE INDEX IF NOT EXISTS presence_from ON presence (series_id, valid_from, came);
CREATE INDEX IF NOT EXISTS presence_to ON presence (series_id, valid_to, went) WHERE valid_to IS NOT NULL;
-- As the translation compares ids that can be NULL (reports/postgresql/translation/translation.hpp).
CREATE INDEX IF NOT EXISTS look_attributes ON look
  (package_id, coalesce(version_id, 0), coalesce(arch_id, 0), coalesce(variant_set_id, 0), coalesce(compiler_id, 0));
CREATE INDEX IF NOT EXISTS spec_hash ON spec (hash);
-- PostgreSQL writes a value of an index once for all its rows, so each of these has a fourth of the size of one by both. New specs
-- come last: the pages of the first can be full.
CREATE INDEX IF NOT EXISTS dependency_spec ON dependency (spec_id) WITH (fillfactor = 100);
CREATE INDEX IF NOT EXISTS dependency_dependent ON dependency (dependency_id);
CREATE INDEX IF NOT EXISTS page_presence_page ON page_presence (page_id);
CREATE INDEX IF NOT EXISTS finding_page ON finding (page_id) WHERE page_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS finding_snapshot ON finding (snapshot_id) WHERE snapshot_id IS NOT NULL;
