-- title: What one stack has and another has not
-- Packages, and versions of packages, that a stack has and another has not. `lacks` says what the other has none of:
-- 'package', or only this 'version'; `other_versions` are the versions that it has. If --other is a pattern, all stacks that
-- match are one, without the stack itself. Without --other it is compared with all other stacks together: what nothing else has.
-- Exchange the two for what only the other has. `root`, the union of all stacks, is left out.
-- param: at snapshot = latest   the snapshot
-- param: stack glob = null      the stack that has it
-- param: other stack = null     the stack that lacks it
-- param: package glob = *       only packages that match
-- filters: looks
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
    stack_set_id, stack,
    CASE WHEN stack = :stack OR glob(:stack, stack) OR (:stack IS NULL AND stack <> '(no stack)') THEN 1 ELSE 0 END AS is_one,
    CASE WHEN stack = :other OR glob(:other, stack) OR (:other IS NULL AND stack <> '(no stack)') THEN 1 ELSE 0 END AS is_other
  FROM stack_set_stacks
  WHERE stack NOT IN (SELECT name FROM stack WHERE is_root = 1)),
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
lacking AS MATERIALIZED (
  SELECT
    c.stack, c.package_id, c.version_id, c.specs,
    (SELECT group_concat(version, ',')
     FROM (
       SELECT v.version
       FROM held h
       CROSS JOIN version v ON v.version_id = h.version_id
       WHERE h.package_id = c.package_id AND h.is_other = 1 AND h.stack <> c.stack
       GROUP BY v.version, v.sort_key
       ORDER BY v.sort_key) o) AS other_versions
  FROM compared c
  WHERE c.is_one = 1
    AND c.others = 0)
SELECT
  t.stack,
  CASE WHEN EXISTS (
    SELECT 1 FROM held h WHERE h.package_id = t.package_id AND h.is_other = 1 AND h.stack <> t.stack)
  THEN 'version' ELSE 'package' END AS lacks,
  k.name AS package,
  v.version,
  t.specs,
  t.other_versions
FROM lacking t
CROSS JOIN package k ON k.package_id = t.package_id
LEFT JOIN version v ON v.version_id = t.version_id
ORDER BY t.stack, lacks, k.name, v.sort_key NULLS FIRST;
