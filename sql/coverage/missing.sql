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
-- The program fills temp.missing_specs from its graph: what is missing, with `runtime`, `frontier` and `dependents`
-- (reports/engine/reach/missing_specs.sql).
WITH
-- Of missing specs that are as far from every build, one: alike_id.
alike (spec_id, package_id, arch_id, version_id, alike_id) AS MATERIALIZED (
  SELECT
    m.spec_id, l.package_id, coalesce(l.arch_id, 0), l.version_id,
    min(m.spec_id) OVER (PARTITION BY x.look_id, n.recipe_id)
  FROM temp.missing_specs m
  CROSS JOIN spec x ON x.spec_id = m.spec_id
  CROSS JOIN look l ON l.look_id = x.look_id
  LEFT JOIN node n ON n.spec_id = m.spec_id),
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
    FROM (SELECT DISTINCT package_id FROM alike) k
    CROSS JOIN present_specs p
    CROSS JOIN spec x ON x.spec_id = p.spec_id
    CROSS JOIN look l ON l.look_id = x.look_id
    LEFT JOIN node n ON n.spec_id = p.spec_id
    WHERE p.snapshot = :at AND p.package_id = k.package_id) b
  WHERE place = 1),
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
  m.is_runtime                            AS runtime,
  m.frontier,
  m.dependents,
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
FROM temp.asked_wanted q
CROSS JOIN temp.missing_specs m
CROSS JOIN spec x ON x.spec_id = m.spec_id
CROSS JOIN asked_looks l ON l.look_id = x.look_id
CROSS JOIN package k ON k.package_id = l.package_id
LEFT JOIN version v ON v.version_id = l.version_id
CROSS JOIN alike a ON a.spec_id = m.spec_id
LEFT JOIN near d ON d.wanted_id = a.alike_id AND d.place = 1
WHERE q.lock = :lock
ORDER BY runtime DESC, frontier DESC, dependents DESC, package, x.hash;
