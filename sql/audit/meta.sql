-- title: Pages whose meta disagrees with their spec_details
-- What `meta` says of a page and what a count of its specs gives.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
SELECT snapshot, package, path, detail
FROM findings
WHERE snapshot = :at
  AND kind = 'meta-mismatch'
  AND package GLOB :package
ORDER BY package, path, detail;
