-- title: What of a lock file the cache lacks
-- Specs that the roots of a lock file need and that the snapshot --at does not have (the report coverage/wanted counts them). `runtime`
-- is 1 if a spec is needed to link or to run, 0 if it is needed only to build or to test. `frontier` is 1 if nothing that the spec needs
-- is missing. `dependents` counts the wanted specs that need it. Both follow link and run dependencies, and all dependencies where
-- `runtime` is 0. `nearest` is the most similar build of the package in the snapshot, and `differs` says what differs.
-- A build for another family of targets can never run there.
-- param: lock snapshot = latest-lock   the snapshot of a lock file or of an install database (snapshots lists them)
-- param: at snapshot = latest          the snapshot of the cache
-- filters: looks
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
runtime (spec_id) AS (
  SELECT spec_id FROM root
  UNION
  SELECT d.dependency_id
  FROM runtime u
  CROSS JOIN dependency d ON d.spec_id = u.spec_id
  CROSS JOIN edge_kind e ON e.edge_kind_id = d.edge_kind_id
  WHERE e.is_link = 1 OR e.is_run = 1),
reached (spec_id) AS (
  SELECT spec_id FROM root
  UNION
  SELECT d.dependency_id
  FROM reached u
  CROSS JOIN node n ON n.spec_id = u.spec_id
  CROSS JOIN dependency d ON d.spec_id = u.spec_id
  CROSS JOIN edge_kinds e ON e.edge_kind_id = d.edge_kind_id
  WHERE (e.since <= n.form OR d.dependency_id IN (SELECT spec_id FROM own) OR NOT EXISTS (SELECT 1 FROM own))),
wanted (spec_id, is_runtime, is_missing) AS MATERIALIZED (
  SELECT
    u.spec_id,
    u.spec_id IN (SELECT spec_id FROM runtime),
    NOT EXISTS (
      SELECT 1 FROM spec y WHERE y.hash IN (x.hash, n.build_hash) AND y.spec_id IN (SELECT spec_id FROM present))
  FROM reached u
  CROSS JOIN spec x ON x.spec_id = u.spec_id
  LEFT JOIN node n ON n.spec_id = u.spec_id
  LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
  WHERE r.external IS DISTINCT FROM 1),
missing (spec_id, is_runtime) AS MATERIALIZED (SELECT spec_id, is_runtime FROM wanted WHERE is_missing),
above (missing_id, is_runtime, spec_id) AS (
  SELECT spec_id, is_runtime, spec_id FROM missing
  UNION
  SELECT u.missing_id, u.is_runtime, d.spec_id
  FROM above u
  CROSS JOIN dependency d ON d.dependency_id = u.spec_id
  CROSS JOIN node n ON n.spec_id = d.spec_id
  CROSS JOIN edge_kinds e ON e.edge_kind_id = d.edge_kind_id
  WHERE CASE WHEN u.is_runtime
    THEN (e.is_link = 1 OR e.is_run = 1) AND d.spec_id IN (SELECT spec_id FROM runtime)
    ELSE d.spec_id IN (SELECT spec_id FROM reached)
      AND (e.since <= n.form OR d.dependency_id IN (SELECT spec_id FROM own) OR NOT EXISTS (SELECT 1 FROM own)) END),
below (missing_id, is_runtime, spec_id) AS (
  SELECT spec_id, is_runtime, spec_id FROM missing
  UNION
  SELECT u.missing_id, u.is_runtime, d.dependency_id
  FROM below u
  CROSS JOIN node n ON n.spec_id = u.spec_id
  CROSS JOIN dependency d ON d.spec_id = u.spec_id
  CROSS JOIN edge_kinds e ON e.edge_kind_id = d.edge_kind_id
  WHERE CASE WHEN u.is_runtime
    THEN e.is_link = 1 OR e.is_run = 1
    ELSE (e.since <= n.form OR d.dependency_id IN (SELECT spec_id FROM own) OR NOT EXISTS (SELECT 1 FROM own)) END),
dependents (spec_id, dependents) AS MATERIALIZED (
  SELECT missing_id, count(*)
  FROM above
  WHERE spec_id <> missing_id AND spec_id IN (SELECT spec_id FROM wanted)
  GROUP BY missing_id),
waiting (spec_id) AS MATERIALIZED (
  SELECT DISTINCT missing_id
  FROM below
  WHERE spec_id <> missing_id AND spec_id IN (SELECT spec_id FROM missing)),
-- Of builds that differ in nothing but the hash, the one with the smallest.
build (spec_id, package_id, arch_id, version_id) AS MATERIALIZED (
  SELECT spec_id, package_id, arch_id, version_id
  FROM (
    SELECT
      p.spec_id,
      l.package_id,
      l.version_id,
      coalesce(l.arch_id, 0) AS arch_id,
      row_number() OVER (PARTITION BY x.look_id, n.recipe_id, n.build_hash ORDER BY x.hash) AS place
    FROM present p
    CROSS JOIN spec x ON x.spec_id = p.spec_id
    CROSS JOIN look l ON l.look_id = x.look_id
    LEFT JOIN node n ON n.spec_id = p.spec_id) b
  WHERE place = 1),
-- Of missing specs that are as far from every build, one: alike_id.
alike (spec_id, package_id, arch_id, version_id, alike_id) AS MATERIALIZED (
  SELECT
    m.spec_id, l.package_id, coalesce(l.arch_id, 0), l.version_id,
    min(m.spec_id) OVER (PARTITION BY x.look_id, n.recipe_id)
  FROM missing m
  CROSS JOIN spec x ON x.spec_id = m.spec_id
  CROSS JOIN look l ON l.look_id = x.look_id
  LEFT JOIN node n ON n.spec_id = m.spec_id),
-- What counts most is compared first, because to compare variants takes ten times as long: for each package the systems, of which
-- any two specs tell the distance, then the versions. Without the + SQLite 3.46 goes through all specs of the ledger for it.
near_arch (package_id, wanted_arch_id, arch_id, is_nearest) AS MATERIALIZED (
  SELECT package_id, wanted_arch_id, arch_id, distance = min(distance) OVER (PARTITION BY package_id, wanted_arch_id)
  FROM (
    SELECT
      a.package_id, a.arch_id AS wanted_arch_id, b.arch_id, 40000 * d.family + 20000 * d.system + d.target AS distance
    FROM (SELECT package_id, arch_id, min(spec_id) AS spec_id FROM alike GROUP BY package_id, arch_id) a
    CROSS JOIN (SELECT package_id, arch_id, min(spec_id) AS spec_id FROM build GROUP BY package_id, arch_id) b
      ON b.package_id = a.package_id
    CROSS JOIN spec_distances d ON d.wanted_id = +a.spec_id AND d.spec_id = +b.spec_id) e),
rough (wanted_id, spec_id, is_nearest) AS MATERIALIZED (
  SELECT wanted_id, spec_id, distance = min(distance) OVER (PARTITION BY wanted_id)
  FROM (
    -- As spec_distances.version has it. SQLite 3.54 copies a view wherever it is named, and refuses a query of 1,000 tables.
    SELECT a.spec_id AS wanted_id, b.spec_id, CASE WHEN a.version_id <> b.version_id THEN 1 ELSE 0 END AS distance
    FROM alike a
    CROSS JOIN build b ON b.package_id = a.package_id
    WHERE a.spec_id = a.alike_id
      AND (a.package_id, a.arch_id, b.arch_id) IN (
        SELECT package_id, wanted_arch_id, arch_id FROM near_arch WHERE is_nearest)) e),
compared AS MATERIALIZED (
  SELECT d.*
  FROM rough r
  CROSS JOIN spec_distances d ON d.wanted_id = +r.wanted_id AND d.spec_id = +r.spec_id
  WHERE r.is_nearest),
near AS MATERIALIZED (
  SELECT d.*, row_number() OVER (
    PARTITION BY d.wanted_id ORDER BY d.variants, d.compiler, d.flags_or_patches, d.recipe, d.hash) AS place
  FROM compared d)
SELECT
  k.name                                  AS package,
  x.hash,
  v.version,
  CASE WHEN m.is_runtime THEN 1 ELSE 0 END AS runtime,
  CASE WHEN m.spec_id IN (SELECT spec_id FROM waiting) THEN 0 ELSE 1 END AS frontier,
  coalesce(t.dependents, 0)                 AS dependents,
  d.hash                                  AS nearest,
  CASE WHEN d.hash IS NOT NULL THEN substr(
    CASE WHEN d.family > 0 THEN '; another family of targets' ELSE '' END
    || CASE WHEN d.system > 0 THEN '; system' ELSE '' END
    || CASE WHEN d.target > 0 AND d.family = 0 THEN '; target' ELSE '' END
    || CASE WHEN d.target = 10000 AND d.family = 0 THEN ' (may not run there)' ELSE '' END
    || CASE WHEN d.version > 0 THEN '; version' ELSE '' END || CASE WHEN d.variants > 0 THEN '; variants' ELSE '' END
    || CASE WHEN d.compiler > 0 THEN '; compiler' ELSE '' END
    || CASE WHEN d.flags_or_patches > 0 THEN '; flags or patches' ELSE '' END
    || CASE WHEN d.recipe > 0 THEN '; recipe' ELSE '' END, 3) END AS differs
FROM missing m
CROSS JOIN spec x ON x.spec_id = m.spec_id
CROSS JOIN asked_looks l ON l.look_id = x.look_id
CROSS JOIN package k ON k.package_id = l.package_id
LEFT JOIN version v ON v.version_id = l.version_id
LEFT JOIN dependents t ON t.spec_id = m.spec_id
CROSS JOIN alike a ON a.spec_id = m.spec_id
LEFT JOIN near d ON d.wanted_id = a.alike_id AND d.place = 1
ORDER BY runtime DESC, frontier DESC, dependents DESC, package, x.hash;
