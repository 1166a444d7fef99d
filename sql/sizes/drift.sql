-- title: Bytes that came and went, by cause
-- The builds that were added and removed, for each cause of drift/summary, and the bytes of their binaries. The bytes of
-- `rebuilt` are what it costs to store the same builds anew. `added_unknown` and `removed_unknown` count the builds whose
-- size the ledger does not have: they are not in the bytes, which are empty if no size is known.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- total: added added_unknown added_bytes removed removed_unknown removed_bytes
-- chart: bars: cause +added_bytes -removed_bytes
-- caption: Bytes added and removed, by cause
-- unit: bytes added_bytes removed_bytes
-- filters: looks
-- form: sizes/drift by cause
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
WITH cause (position, cause) AS (
  VALUES (1, 'package'), (2, 'version'), (3, 'target'), (4, 'compiler'), (5, 'variants'), (6, 'rebuilt'),
    (7, 'copies')),
counted AS MATERIALIZED (
  SELECT
    d.cause,
    count(*) FILTER (WHERE d.change = 'added')         AS added,
    count(z.bytes) FILTER (WHERE d.change = 'added')   AS added_known,
    sum(z.bytes) FILTER (WHERE d.change = 'added')     AS added_bytes,
    count(*) FILTER (WHERE d.change = 'removed')       AS removed,
    count(z.bytes) FILTER (WHERE d.change = 'removed') AS removed_known,
    sum(z.bytes) FILTER (WHERE d.change = 'removed')   AS removed_bytes
  FROM stack_drift d
  CROSS JOIN asked_looks USING (look_id)
  CROSS JOIN spec_sizes z USING (spec_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.stack IS NOT DISTINCT FROM :stack
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY d.cause)
SELECT
  c.cause,
  coalesce(d.added, 0)                                      AS added,
  coalesce(d.added - d.added_known, 0)                      AS added_unknown,
  CASE WHEN d.added > 0 THEN d.added_bytes ELSE 0 END     AS added_bytes,
  coalesce(d.removed, 0)                                    AS removed,
  coalesce(d.removed - d.removed_known, 0)                  AS removed_unknown,
  CASE WHEN d.removed > 0 THEN d.removed_bytes ELSE 0 END AS removed_bytes
FROM cause c
LEFT JOIN counted d USING (cause)
ORDER BY c.position;
