-- title: Bytes by package
-- What the binaries of each package take, the largest first. `unknown` counts the builds whose size the ledger does not
-- have: they are not in `bytes`, which is empty if no size is known. `largest` is the size of the largest binary.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- total: specs unknown bytes
-- chart: bars: package bytes
-- caption: Bytes of the binaries of each package
-- unit: bytes bytes largest
-- filters: looks
-- form: sizes/packages by package
WITH stored AS MATERIALIZED (
  SELECT
    p.package_id,
    count(*)                  AS specs,
    count(*) - count(z.bytes) AS unknown,
    sum(z.bytes)              AS bytes,
    max(z.bytes)              AS largest
  FROM present_specs p
  CROSS JOIN asked_looks USING (look_id)
  CROSS JOIN spec_sizes z USING (spec_id)
  WHERE p.snapshot = :at
    AND glob(:package, p.package)
    AND (:stack IS NULL OR p.stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))
  GROUP BY p.package_id)
SELECT k.name AS package, s.specs, s.unknown, s.bytes, s.largest
FROM stored s
CROSS JOIN package k USING (package_id)
ORDER BY s.bytes IS NULL, s.bytes DESC, k.name;
