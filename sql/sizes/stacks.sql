-- title: Bytes by stack
-- What the binaries of each stack take. `unknown` counts the builds whose size the ledger does not have: they are not in
-- `bytes`, which is empty if no size is known. A binary counts in each of its stacks; `only_here` counts the bytes of
-- builds that are in no other stack. `root`, the union of all stacks, is left out. Builds in no stack come after the stacks,
-- as '(no stack)'. The last row, '(all)', counts each build once, those whose stacks are not known too.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- chart: bars: stack bytes
-- caption: Bytes of the binaries of each stack
-- unit: bytes bytes only_here
-- filters: looks
-- form: sizes/packages by stack
WITH stored AS MATERIALIZED (
  SELECT p.stack_set_id, count(*) AS specs, count(z.bytes) AS known, sum(z.bytes) AS bytes
  FROM present_specs p
  CROSS JOIN asked_looks USING (look_id)
  CROSS JOIN spec_sizes z USING (spec_id)
  WHERE p.snapshot = :at
    AND glob(:package, p.package)
  GROUP BY p.stack_set_id),
member (position, stack, is_only_here, specs, known, bytes) AS (
  SELECT 1, t.name, CASE WHEN instr(g.named_stacks, ',') = 0 THEN 1 ELSE 0 END, s.specs, s.known, s.bytes
  FROM stored s
  CROSS JOIN stack_set g USING (stack_set_id)
  CROSS JOIN stack_set_member m USING (stack_set_id)
  CROSS JOIN stack t USING (stack_id)
  WHERE t.is_root = 0
  UNION ALL
  SELECT 2, '(no stack)', 1, s.specs, s.known, s.bytes
  FROM stored s
  CROSS JOIN stack_set g USING (stack_set_id)
  WHERE g.named_stacks = ''
  UNION ALL
  SELECT 3, '(all)', 1, specs, known, bytes
  FROM stored)
SELECT
  stack,
  sum(specs)         AS specs,
  sum(specs - known) AS unknown,
  sum(bytes)         AS bytes,
  CASE WHEN max(is_only_here) = 1 THEN sum(bytes) FILTER (WHERE is_only_here = 1) ELSE 0 END AS only_here
FROM member
GROUP BY position, stack
ORDER BY position, stack;
