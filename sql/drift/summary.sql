-- title: Drift by cause
-- How many specs were added and removed, and the first thing that explains each: a new (or vanished) package, version,
-- target, compiler or choice of variants; rebuilt, where some that look the same are there under other hashes; or more or
-- fewer copies that look the same.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only specs that are, or were, in this stack (causes are those of the whole cache)
WITH cause (position, cause) AS (
  VALUES (1, 'package'), (2, 'version'), (3, 'target'), (4, 'compiler'), (5, 'variants'), (6, 'rebuilt'),
    (7, 'copies')),
counted AS MATERIALIZED (
  SELECT
    d.cause,
    count(*) FILTER (WHERE d.change = 'added')   AS added,
    count(*) FILTER (WHERE d.change = 'removed') AS removed
  FROM spec_drift d
  JOIN package k USING (package_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND k.name GLOB :package
  AND (:stack IS NULL OR d.stack_set_id IN (
    SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id) WHERE t.name = :stack))
  GROUP BY d.cause)
SELECT
  c.cause,
  ifnull(d.added, 0)   AS added,
  ifnull(d.removed, 0) AS removed
FROM cause c
LEFT JOIN counted d USING (cause)
ORDER BY c.position;
