-- title: How much of a lock file the cache has
-- How much of what the roots of a lock file need the snapshot --at has: first what is needed to link and to run, then all, with what is
-- needed to build and to test. A spec is there if its hash is; a spliced spec also if the spec that was built is. External specs are
-- left out. If --lock is not the snapshot of a lock file, all its specs are wanted. `unknown` counts wanted specs without known
-- dependencies. The report coverage/missing lists what is missing.
-- param: lock snapshot = latest-lock   the snapshot of a lock file or of an install database (snapshots lists them)
-- param: at snapshot = latest          the snapshot of the cache
-- command: coverage
WITH RECURSIVE
present (spec_id) AS MATERIALIZED (
  SELECT p.spec_id
  FROM snapshot s
  CROSS JOIN presence p
    ON p.series_id = s.series_id
   AND +p.valid_from <= s.taken_at
   AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  WHERE s.name = :at),
root (spec_id) AS MATERIALIZED (
  SELECT r.spec_id
  FROM snapshot s
  CROSS JOIN root_presence r
    ON r.series_id = s.series_id
   AND r.valid_from <= s.taken_at
   AND (r.valid_to IS NULL OR r.valid_to > s.taken_at)
  WHERE s.name = :lock AND s.kind = 'lock'
  UNION
  SELECT p.spec_id
  FROM snapshot s
  CROSS JOIN presence p
    ON p.series_id = s.series_id
   AND +p.valid_from <= s.taken_at
   AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  WHERE s.name = :lock AND s.kind <> 'lock'),
-- All that a lock file lists. A dependency that is not part of the hash may be that of another lock file, if this one does not list it.
own (spec_id) AS MATERIALIZED (
  SELECT p.spec_id
  FROM snapshot s
  CROSS JOIN presence p
    ON p.series_id = s.series_id
   AND +p.valid_from <= s.taken_at
   AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  WHERE s.name = :lock AND s.kind = 'lock'),
reached (needs, spec_id) AS (
  SELECT n.needs, r.spec_id FROM (SELECT 'link,run' AS needs UNION ALL SELECT 'all') n CROSS JOIN root r
  UNION
  SELECT u.needs, d.dependency_id
  FROM reached u
  CROSS JOIN node n ON n.spec_id = u.spec_id
  CROSS JOIN dependency d ON d.spec_id = u.spec_id
  CROSS JOIN edge_kinds e ON e.edge_kind_id = d.edge_kind_id
  WHERE (u.needs = 'all' OR e.is_link = 1 OR e.is_run = 1)
    AND (e.since <= n.form OR d.dependency_id IN (SELECT spec_id FROM own) OR NOT EXISTS (SELECT 1 FROM own))),
wanted (needs, is_external, is_unknown, is_there) AS MATERIALIZED (
  SELECT
    u.needs,
    r.external IS NOT DISTINCT FROM 1,
    n.spec_id IS NULL,
    EXISTS (
      SELECT 1 FROM spec y WHERE y.hash IN (x.hash, n.build_hash) AND y.spec_id IN (SELECT spec_id FROM present))
  FROM reached u
  CROSS JOIN spec x ON x.spec_id = u.spec_id
  LEFT JOIN node n ON n.spec_id = u.spec_id
  LEFT JOIN recipe r ON r.recipe_id = n.recipe_id)
SELECT
  needs,
  count(*) FILTER (WHERE NOT is_external)                 AS wanted,
  count(*) FILTER (WHERE is_there AND NOT is_external)    AS covered,
  count(*) FILTER (WHERE NOT is_there AND NOT is_external) AS missing,
  coalesce(
    round(
      100.0 * count(*) FILTER (WHERE is_there AND NOT is_external)
        / nullif(count(*) FILTER (WHERE NOT is_external), 0),
      2),
    100.0)                                                AS percent,
  count(*) FILTER (WHERE is_external)                     AS external,
  count(*) FILTER (WHERE is_unknown)                      AS unknown
FROM wanted
GROUP BY needs
ORDER BY needs DESC;
