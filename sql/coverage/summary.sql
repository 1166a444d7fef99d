-- title: What the snapshot holds
-- How many packages, versions and specs there are, for how many stacks, systems, targets and compilers.
-- `looks` counts what differs in anything visible but the hash; `specs_in_no_stack` are in the cache, and
-- in the list of no stack but `root`. Pages of 2022 do not give stacks: their specs count for neither, and where there are
-- no others, both are empty.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
SELECT
  count(DISTINCT package)                                                     AS packages,
  count(DISTINCT package || '@' || version)                                   AS versions,
  count(*)                                                                    AS specs,
  count(DISTINCT json_array(package, version, platform, os, target, compiler, variants)) AS looks,
  CASE WHEN count(stacks) > 0 OR count(*) = 0 THEN (
    SELECT count(DISTINCT stack)
    FROM spec_stacks
    WHERE snapshot = :at AND package GLOB :package AND stack <> 'root') END   AS stacks,
  count(DISTINCT platform || '-' || os || '-' || target)                      AS systems,
  count(DISTINCT target)                                                      AS targets,
  count(DISTINCT compiler)                                                    AS compilers,
  count(*) - count(compiler)                                                  AS specs_without_compiler,
  CASE WHEN count(stacks) > 0 OR count(*) = 0 THEN
    count(*) FILTER (WHERE stacks IN ('', 'root')) END                        AS specs_in_no_stack
FROM specs
WHERE snapshot = :at
  AND package GLOB :package;
