-- The roots of lock files that are in another group of their environment in the second snapshot. A root without a group counts as in
-- "(no group)" if its snapshot has groups; where a snapshot has none, its file knows of none, and nothing moved.
-- :from, :to and :package are as in the reports of drift/.
WITH grouped_root AS (
  SELECT r.snapshot, r.environment, r.root, r.package, ifnull(r.root_group, '(no group)') AS root_group
  FROM roots r
  WHERE r.snapshot IN (:from, :to)
    AND glob(:package, r.package)
    AND EXISTS (SELECT 1 FROM roots g WHERE g.snapshot = r.snapshot AND g.root_group IS NOT NULL))
SELECT DISTINCT b.root, b.root_group AS from_group, a.root_group AS to_group
FROM grouped_root b
JOIN grouped_root a ON a.snapshot = :to AND a.environment = b.environment AND a.root = b.root
WHERE b.snapshot = :from
  AND NOT EXISTS (
    SELECT 1 FROM grouped_root s
    WHERE s.snapshot = :to AND s.environment = b.environment AND s.root = b.root AND s.root_group = b.root_group)
  AND NOT EXISTS (
    SELECT 1 FROM grouped_root s
    WHERE s.snapshot = :from AND s.environment = a.environment AND s.root = a.root AND s.root_group = a.root_group)
ORDER BY b.root, b.root_group, a.root_group;
