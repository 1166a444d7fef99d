-- title: Gaps between sibling stacks
-- Packages that a stack lacks, or has few specs of, compared with its siblings. Stacks are siblings if their names are
-- equal up to the first '-': ml-linux-x86_64-cpu and ml-darwin-aarch64-mps, e4s and e4s-oneapi.
-- A gap is `missing` or `few`. `missing`: more than half of the siblings have a package that the stack lacks. `few`:
-- the stack has the package, but the number of its specs is below the given percentage of `siblings_average`, the
-- average of the siblings that have the package. Specs in no stack are left out: they have no siblings.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only gaps of stacks that match
-- param: percent integer = 33   the percentage of siblings_average below which a stack has few
WITH built AS MATERIALIZED (
  SELECT package_id, stack_set_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
  GROUP BY package_id, stack_set_id),
member AS MATERIALIZED (
  SELECT b.package_id, m.stack_id, sum(b.specs) AS specs
  FROM built b
  CROSS JOIN stack_set_member m USING (stack_set_id)
  GROUP BY b.package_id, m.stack_id),
family AS MATERIALIZED (
  SELECT stack_id, name AS stack, substr(name, 1, instr(name || '-', '-') - 1) AS family
  FROM stack
  WHERE NOT is_root
    AND stack_id IN (SELECT stack_id FROM member)),
family_size AS MATERIALIZED (
  SELECT family, count(*) AS stacks
  FROM family
  GROUP BY family),
-- One row for each package and each family that has it, with the number of specs in the whole family.
known AS MATERIALIZED (
  SELECT k.package_id, k.name AS package, f.family, count(*) AS stacks, sum(m.specs) AS specs
  FROM member m
  CROSS JOIN package k USING (package_id)
  JOIN family f USING (stack_id)
  WHERE k.name GLOB :package
  GROUP BY k.package_id, f.family),
compared AS (
  SELECT
    k.package,
    f.stack,
    ifnull(m.specs, 0)                        AS specs,
    z.stacks - 1                              AS siblings,
    k.stacks - (m.specs IS NOT NULL)          AS siblings_with,
    k.specs - ifnull(m.specs, 0)              AS siblings_specs
  FROM known k
  JOIN family f USING (family)
  JOIN family_size z USING (family)
  LEFT JOIN member m ON m.package_id = k.package_id AND m.stack_id = f.stack_id)
SELECT
  CASE specs WHEN 0 THEN 'missing' ELSE 'few' END AS gap,
  package,
  stack,
  specs,
  siblings,
  siblings_with,
  round(1.0 * siblings_specs / siblings_with, 1) AS siblings_average
FROM compared
WHERE siblings_with > 0
  AND (:stack IS NULL OR stack = :stack OR stack GLOB :stack)
  AND CASE specs
        WHEN 0 THEN 2 * siblings_with > siblings
        ELSE 100.0 * specs * siblings_with < 1.0 * :percent * siblings_specs
      END
ORDER BY gap DESC, package, stack;
