-- title: Gaps between sibling stacks
-- Packages that a stack lacks, or has few builds of, compared with its siblings. Stacks are siblings if their names are
-- equal up to the first '-': ml-linux-x86_64-cpu and ml-darwin-aarch64-mps, e4s and e4s-oneapi. With --families they
-- are siblings if they match the same pattern (the first that they match), and stacks that match none are left out. A
-- gap is `missing` or `few`. `missing`: more than half of the siblings have a package that the stack lacks. `few`: the
-- stack has the package, but fewer builds of it than the given percentage of `siblings_average`. That is the average of
-- the siblings that have the package. Builds in no stack are left out: they have no siblings. `lacking` is how many
-- builds the stack is below that average; the gaps with the most come first.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only gaps of stacks that match
-- param: percent integer = 33   the percentage of siblings_average below which a stack has few
-- param: families text = null   the families, as patterns of stacks separated by commas: 'ml-linux-*,ml-darwin-*'
-- filters: looks
WITH RECURSIVE
-- The patterns of :families, in their order.
given (position, pattern, rest) AS (
  SELECT 0, substr(coalesce(:families, ''), 1, 0), coalesce(:families, '') || ','
  UNION ALL
  SELECT position + 1, trim(substr(rest, 1, instr(rest, ',') - 1)), substr(rest, instr(rest, ',') + 1)
  FROM given
  WHERE rest <> ''),
built AS MATERIALIZED (
  SELECT p.package_id, p.stack_set_id, count(*) AS specs
  FROM present_specs p
  CROSS JOIN asked_looks USING (look_id)
  WHERE p.snapshot = :at
  GROUP BY p.package_id, p.stack_set_id),
member AS MATERIALIZED (
  SELECT b.package_id, m.stack_id, sum(b.specs) AS specs
  FROM built b
  CROSS JOIN stack_set_member m USING (stack_set_id)
  GROUP BY b.package_id, m.stack_id),
family AS MATERIALIZED (
  SELECT
    stack_id, name AS stack,
    CASE
      WHEN :families IS NULL THEN substr(name, 1, instr(name || '-', '-') - 1)
      ELSE (SELECT g.pattern FROM given g WHERE name = g.pattern OR glob(g.pattern, name) ORDER BY g.position LIMIT 1)
    END AS family
  FROM stack
  WHERE is_root = 0
    AND stack_id IN (SELECT stack_id FROM member)),
family_size AS MATERIALIZED (
  SELECT family, count(*) AS stacks
  FROM family
  GROUP BY family),
-- One row for each package and each family that has it, with the number of specs in the whole family. A stack without family
-- is in none.
known AS MATERIALIZED (
  SELECT k.package_id, f.family, count(*) AS stacks, sum(m.specs) AS specs
  FROM member m
  CROSS JOIN package k USING (package_id)
  JOIN family f USING (stack_id)
  WHERE glob(:package, k.name)
  GROUP BY k.package_id, f.family),
compared AS (
  SELECT
    k.package_id,
    f.stack,
    coalesce(m.specs, 0)                                     AS specs,
    z.stacks - 1                                             AS siblings,
    k.stacks - CASE WHEN m.specs IS NULL THEN 0 ELSE 1 END   AS siblings_with,
    k.specs - coalesce(m.specs, 0)                           AS siblings_specs
  FROM known k
  JOIN family f USING (family)
  JOIN family_size z USING (family)
  LEFT JOIN member m ON m.package_id = k.package_id AND m.stack_id = f.stack_id)
SELECT
  CASE specs WHEN 0 THEN 'missing' ELSE 'few' END AS gap,
  k.name AS package,
  stack,
  specs,
  siblings,
  siblings_with,
  (20 * siblings_specs + siblings_with) / (2 * siblings_with) / 10.0 AS siblings_average,  -- half up
  (20 * (siblings_specs - specs * siblings_with)
    + CASE WHEN siblings_specs < specs * siblings_with THEN -siblings_with ELSE siblings_with END)
    / (2 * siblings_with) / 10.0 AS lacking
FROM compared
CROSS JOIN package k USING (package_id)
WHERE siblings_with > 0
  AND (:stack IS NULL OR stack = :stack OR glob(:stack, stack))
  AND CASE specs
        WHEN 0 THEN 2 * siblings_with > siblings
        ELSE 100.0 * specs * siblings_with < 1.0 * :percent * siblings_specs
      END
ORDER BY 1.0 * siblings_specs / siblings_with - specs DESC, 1.0 * siblings_with / siblings DESC, package, stack;
