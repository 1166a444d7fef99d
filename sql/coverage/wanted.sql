-- title: How much of a lock file the cache has
-- How much of what the roots of a lock file need the snapshot --at has: first what is needed to link and to run, then all, with what is
-- needed to build and to test. A spec is there if its hash is; a spliced spec also if the spec that was built is. External specs are
-- left out. If --lock is not the snapshot of a lock file, all its specs are wanted. `unknown` counts wanted specs without known
-- dependencies. The report coverage/missing lists what is missing.
-- param: lock snapshot = latest-lock   the snapshot of a lock file or of an install database (snapshots lists them)
-- param: at snapshot = latest          the snapshot of the cache
-- command: coverage
-- The program fills temp.wanted_specs from its graph: what the roots need, and whether it is there (reports/engine/reach/wanted_specs.sql).
SELECT
  needs,
  count(*) FILTER (WHERE NOT is_external)                 AS wanted,
  count(*) FILTER (WHERE is_there AND NOT is_external)    AS covered,
  count(*) FILTER (WHERE NOT is_there AND NOT is_external) AS missing,
  coalesce(
    (20000 * count(*) FILTER (WHERE is_there AND NOT is_external) + count(*) FILTER (WHERE NOT is_external))
      / nullif(2 * count(*) FILTER (WHERE NOT is_external), 0) / 100.0,
    100.0)                                                AS percent,  -- rounded half up
  count(*) FILTER (WHERE is_external)                     AS external,
  count(*) FILTER (WHERE is_unknown)                      AS unknown
FROM temp.asked_wanted q
CROSS JOIN (SELECT 'link,run' AS needs, 1 AS least UNION ALL SELECT 'all', 0) n
CROSS JOIN temp.wanted_specs w ON w.is_runtime >= n.least
WHERE q.lock = :lock AND q.at = :at
GROUP BY needs
ORDER BY needs DESC;
