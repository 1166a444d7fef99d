-- title: Versions available
-- Each version of each package, how many specs it has, and in which stacks: NULL where the page does not give them, and an
-- empty text where it is in none.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack text = null      only specs of this stack
WITH chosen AS MATERIALIZED (
  SELECT package, version, hash, stacks
  FROM specs
  WHERE snapshot = :at
    AND package GLOB :package
    AND (:stack IS NULL OR instr(',' || stacks || ',', ',' || :stack || ',') > 0)),
version_size AS MATERIALIZED (
  SELECT package, version, count(*) AS specs, count(stacks) AS of_known_stacks
  FROM chosen
  GROUP BY package, version),
version_stacks AS MATERIALIZED (
  SELECT package, version, group_concat(stack, ',') AS stacks
  FROM (
    SELECT DISTINCT c.package, c.version, m.stack
    FROM chosen c
    JOIN spec_stacks m ON m.hash = c.hash AND m.package = c.package
    WHERE m.snapshot = :at
      AND m.stack <> 'root'
    ORDER BY c.package, c.version, m.stack)
  GROUP BY package, version)
SELECT z.package, z.version, z.specs, CASE WHEN z.of_known_stacks > 0 THEN ifnull(s.stacks, '') END AS stacks
FROM version_size z
LEFT JOIN version_stacks s ON s.package = z.package AND s.version IS z.version
ORDER BY z.package, z.version;
