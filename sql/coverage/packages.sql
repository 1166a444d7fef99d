-- title: Coverage by package
-- How many specs each package has, and for how many versions, stacks, targets and compilers. `stacks` is empty where the
-- page does not give them.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack text = null      only specs of this stack
SELECT
  s.package,
  count(DISTINCT s.version)  AS versions,
  count(*)                   AS specs,
  CASE WHEN count(s.stacks) > 0 THEN (
    SELECT count(DISTINCT m.stack)
    FROM spec_stacks m
    WHERE m.snapshot = :at AND m.package = s.package AND m.stack <> 'root'
      AND (:stack IS NULL OR m.hash IN (
        SELECT f.hash FROM specs f
        WHERE f.snapshot = :at AND f.package = s.package
          AND instr(',' || f.stacks || ',', ',' || :stack || ',') > 0))) END AS stacks,
  count(DISTINCT s.target)   AS targets,
  count(DISTINCT s.compiler) AS compilers
FROM specs s
WHERE s.snapshot = :at
  AND s.package GLOB :package
  AND (:stack IS NULL OR instr(',' || s.stacks || ',', ',' || :stack || ',') > 0)
GROUP BY s.package
ORDER BY s.package;
