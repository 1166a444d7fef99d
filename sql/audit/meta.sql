-- title: Pages whose meta disagrees with their spec_details
-- Pages whose summary (`meta`) differs from what the program counted in their builds. `detail` says what differs.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- form: audit/findings by page
SELECT snapshot, package, path, detail
FROM findings
WHERE snapshot = :at
  AND kind = 'meta-mismatch'
  AND glob(:package, package)
ORDER BY package NULLS FIRST, path NULLS FIRST, detail;
