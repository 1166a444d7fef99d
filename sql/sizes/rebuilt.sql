-- title: Bytes of rebuilt packages
-- What it costs to store rebuilt builds again, by package; the most added bytes come first. Rebuilt builds have the
-- same version and options, and a new hash: as many are removed as added. `added_unknown` and `removed_unknown` count
-- the builds whose size the ledger does not have. They are not in the bytes, which are empty if no size is known.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- total: specs added_unknown added_bytes removed_unknown removed_bytes
-- chart: bars: package added_bytes
-- caption: Bytes stored again for rebuilt builds
-- unit: bytes added_bytes removed_bytes
-- filters: looks
-- form: sizes/drift by package
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
WITH counted AS MATERIALIZED (
  SELECT
    d.package_id,
    count(*) FILTER (WHERE d.change = 'added')         AS specs,
    count(z.bytes) FILTER (WHERE d.change = 'added')   AS added_known,
    sum(z.bytes) FILTER (WHERE d.change = 'added')     AS added_bytes,
    count(z.bytes) FILTER (WHERE d.change = 'removed') AS removed_known,
    sum(z.bytes) FILTER (WHERE d.change = 'removed')   AS removed_bytes
  FROM stack_drift d
  CROSS JOIN asked_looks USING (look_id)
  CROSS JOIN spec_sizes z USING (spec_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.stack IS NOT DISTINCT FROM :stack
    AND d.cause = 'rebuilt'
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY d.package_id)
SELECT
  k.name                    AS package,
  c.specs,
  c.specs - c.added_known   AS added_unknown,
  c.added_bytes,
  c.specs - c.removed_known AS removed_unknown,
  c.removed_bytes
FROM counted c
CROSS JOIN package k USING (package_id)
ORDER BY c.added_bytes IS NULL, c.added_bytes DESC, k.name;
