-- The findings of two snapshots that put what is compared in doubt, by their package, NULL if they name none. :from, :to and
-- :package are as in the reports of drift/.
SELECT snapshot, kind, package
FROM (
  SELECT
    f.snapshot, f.kind,
    coalesce(f.package, (
      SELECT min(k.name) FROM spec x JOIN look l USING (look_id) JOIN package k USING (package_id)
      WHERE x.hash = substr(f.detail, 1, 32))) AS package
  FROM findings f
  WHERE f.snapshot IN (:from, :to)
    AND f.kind IN ('hash-conflict', 'dependency-missing'))
WHERE package IS NULL OR glob(:package, package)
ORDER BY snapshot = :to, kind DESC;
