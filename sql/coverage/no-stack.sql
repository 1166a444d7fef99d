-- title: Builds in no stack
-- The builds that are in the cache and in no stack. `root`, the union of all stacks, does not count as one. Builds whose page
-- does not give stacks are left out.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- filters: looks
-- command: specs
SELECT
  l.package,
  l.version,
  x.hash,
  l.compiler,
  l.platform,
  l.os,
  l.target,
  l.variants
FROM present_specs p
CROSS JOIN asked_looks USING (look_id)
CROSS JOIN stack_set g USING (stack_set_id)
CROSS JOIN spec x USING (spec_id)
CROSS JOIN looks l ON l.look_id = p.look_id
WHERE p.snapshot = :at
  AND glob(:package, p.package)
  AND g.named_stacks = ''
ORDER BY l.package, l.version_key NULLS FIRST, x.hash;
