-- title: What one stack has and another has not
-- Packages, and versions of packages, that a stack has and another has not. `lacks` says whether the other has no version of
-- the package, or only not this one; `other_versions` are the versions that it has. If --other is a pattern, all stacks that
-- match count as one, without the stack itself. Without --other, the stack is compared with all other stacks together. To see what
-- only the other has, exchange the two. `root`, the union of all stacks, is left out unless it is named.
-- `coverage/against --by stack` asks the same, and of targets, compilers and others.
-- param: at snapshot = latest   the snapshot
-- param: stack glob = null      the stack that has it
-- param: other stack = null     the stack that lacks it
-- param: package glob = *       only packages that match
-- filters: looks
-- command: report
WITH built AS MATERIALIZED (
  SELECT p.package_id, l.version_id, p.stack_set_id, count(*) AS specs
  FROM present_specs p
  CROSS JOIN asked_looks l USING (look_id)
  WHERE p.snapshot = :at
    AND glob(:package, p.package)
  GROUP BY p.package_id, l.version_id, p.stack_set_id),
-- Each stack, and whether it is asked for (1) or not (0) as the one, and as the other.
member AS MATERIALIZED (
  SELECT
    m.stack_set_id, m.stack,
    CASE
      WHEN m.stack = :stack THEN 1
      WHEN r.name IS NULL AND (glob(:stack, m.stack) OR (:stack IS NULL AND m.stack <> '(no stack)')) THEN 1
      ELSE 0
    END AS is_one,
    CASE
      WHEN m.stack = :other THEN 1
      WHEN r.name IS NULL AND (glob(:other, m.stack) OR (:other IS NULL AND m.stack <> '(no stack)')) THEN 1
      ELSE 0
    END AS is_other
  FROM stack_set_stacks m
  LEFT JOIN (SELECT name FROM stack WHERE is_root = 1) r ON r.name = m.stack),
held AS MATERIALIZED (
  SELECT b.package_id, b.version_id, m.stack, m.is_one, m.is_other, sum(b.specs) AS specs
  FROM built b
  CROSS JOIN member m ON m.stack_set_id = b.stack_set_id
  GROUP BY b.package_id, b.version_id, m.stack, m.is_one, m.is_other),
-- Of each version that an asked stack has, how many others have it.
compared AS (
  SELECT
    stack, package_id, version_id, specs, is_one,
    sum(is_other) OVER (PARTITION BY package_id, version_id) - is_other AS others
  FROM held),
-- By "> 0" and "< 1" PostgreSQL expects more rows than by "= 1", and joins them by hash.
lacking AS MATERIALIZED (
  SELECT c.stack, c.package_id, c.version_id, c.specs
  FROM compared c
  WHERE c.is_one > 0
    AND c.others < 1),
-- How many others have a version, and one of them.
offered AS MATERIALIZED (
  SELECT package_id, version_id, count(*) AS others, min(stack) AS stack
  FROM held
  WHERE is_other > 0
  GROUP BY package_id, version_id),
place AS MATERIALIZED (SELECT DISTINCT stack, package_id FROM lacking),
-- The versions that the others have of a package, and whether they have it at all. The larger part of each join comes first: SQLite
-- makes an index for the other one.
other AS MATERIALIZED (
  SELECT stack, package_id, max(others) AS others, group_concat(version, ',') AS versions
  FROM (
    SELECT t.stack, t.package_id, o.others, v.version, v.sort_key
    FROM offered o
    CROSS JOIN place t ON t.package_id = o.package_id AND (o.others > 1 OR o.stack <> t.stack)
    LEFT JOIN version v ON v.version_id = o.version_id
    UNION ALL
    SELECT stack, package_id, 0, NULL, NULL
    FROM place
    ORDER BY stack, package_id, sort_key) e
  GROUP BY stack, package_id)
SELECT
  t.stack,
  CASE WHEN o.others = 0 THEN 'the other lacks the package' ELSE 'the other lacks this version' END AS lacks,
  k.name AS package,
  v.version,
  t.specs,
  o.versions AS other_versions
FROM other o
CROSS JOIN lacking t ON t.package_id = o.package_id AND t.stack = o.stack
CROSS JOIN package k ON k.package_id = t.package_id
LEFT JOIN version v ON v.version_id = t.version_id
ORDER BY t.stack, lacks, k.name, v.sort_key NULLS FIRST;
