-- title: What the ingester noticed
-- Findings: pages that disagree with themselves or with what the ledger knows, and pages that could not be read.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: kind glob = *          only kinds that match
-- form: audit/findings by finding
SELECT snapshot, kind, package, path, detail
FROM findings
WHERE snapshot = :at
  AND (glob(:package, package) OR (package IS NULL AND :package = '*'))
  AND glob(:kind, kind)
ORDER BY kind, package NULLS FIRST, path NULLS FIRST, detail;
