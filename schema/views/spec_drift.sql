-- One row for each spec that is in one of two snapshots and not in the other, with the one cause that
-- explains it (design: kinds of change). Ask for one pair: WHERE from_snapshot = ... AND to_snapshot = ...
-- Every drift report reads the causes here and nowhere else.
--
--   change   'removed' (only in from_snapshot) or 'added' (only in to_snapshot)
--   cause    the first that holds: the other snapshot has no spec with the same
--            'package'; 'version'; 'target' (platform, os, target); 'compiler'; 'variants';
--            or it has some that look the same: 'rebuilt' for as many removed as added specs of a look
--            group, 'copies' for what is left over there.
--   group_look_id, group_compiler_id
--            for 'rebuilt' and 'copies': the look group (by its smallest changed look_id), and its compiler,
--            which is NULL where a spec of the group has no compiler: then the compiler is not part of
--            the group.
--   stack_set_id
--            the stacks of the spec, in the one snapshot that has it
--
-- A missing compiler matches any compiler: before Spack 1.0 every spec had one, since then only those
-- that use one.
--
-- This is the definition, and what other programs read. The program itself makes the same rows in
-- reports/drift.cpp, where a cause is found once for all specs of a look; a test compares the two.
--
-- The work is in one scalar subquery that gives a JSON array: it can refer to the two snapshots, and is
-- evaluated once for a pair. A plain join of its steps would be made for all pairs of snapshots.
CREATE VIEW spec_drift AS
SELECT
  a.snapshot_id AS from_id,
  b.snapshot_id AS to_id,
  a.name        AS from_snapshot,
  b.name        AS to_snapshot,
  j.value ->> 0 AS change,
  j.value ->> 1 AS cause,
  j.value ->> 2 AS package_id,
  j.value ->> 3 AS look_id,
  j.value ->> 4 AS spec_id,
  j.value ->> 5 AS stack_set_id,
  j.value ->> 6 AS group_look_id,
  j.value ->> 7 AS group_compiler_id
FROM snapshot a
CROSS JOIN snapshot b
CROSS JOIN json_each((
  WITH
  -- The specs that only one side has, and where the other side is. In one series only intervals that
  -- begin or end between the two moments can differ.
  changed (change, package_id, look_id, spec_id, stack_set_id, other_series, other_moment) AS (
    SELECT
      CASE WHEN a.taken_at < b.taken_at THEN 'removed' ELSE 'added' END,
      p.package_id, p.look_id, p.spec_id, p.stack_set_id,
      p.series_id, max(a.taken_at, b.taken_at)
    FROM presence p
    WHERE a.series_id = b.series_id
      AND p.series_id = a.series_id
      AND p.valid_to > min(a.taken_at, b.taken_at)
      AND p.valid_to <= max(a.taken_at, b.taken_at)
      AND p.valid_from <= min(a.taken_at, b.taken_at)
      AND NOT EXISTS (
        SELECT 1 FROM presence q
        WHERE q.series_id = p.series_id AND q.package_id = p.package_id
          AND q.look_id = p.look_id AND q.spec_id = p.spec_id
          AND q.valid_from <= max(a.taken_at, b.taken_at)
          AND (q.valid_to IS NULL OR q.valid_to > max(a.taken_at, b.taken_at)))
    UNION ALL
    SELECT
      CASE WHEN a.taken_at < b.taken_at THEN 'added' ELSE 'removed' END,
      p.package_id, p.look_id, p.spec_id, p.stack_set_id,
      p.series_id, min(a.taken_at, b.taken_at)
    FROM presence p
    WHERE a.series_id = b.series_id
      AND p.series_id = a.series_id
      AND p.valid_from > min(a.taken_at, b.taken_at)
      AND p.valid_from <= max(a.taken_at, b.taken_at)
      AND (p.valid_to IS NULL OR p.valid_to > max(a.taken_at, b.taken_at))
      AND NOT EXISTS (
        SELECT 1 FROM presence q
        WHERE q.series_id = p.series_id AND q.package_id = p.package_id
          AND q.look_id = p.look_id AND q.spec_id = p.spec_id
          AND q.valid_from <= min(a.taken_at, b.taken_at)
          AND (q.valid_to IS NULL OR q.valid_to > min(a.taken_at, b.taken_at)))
    UNION ALL
    SELECT
      'removed', p.package_id, p.look_id, p.spec_id, p.stack_set_id, b.series_id, b.taken_at
    FROM presence p
    WHERE a.series_id <> b.series_id
      AND p.series_id = a.series_id
      AND p.valid_from <= a.taken_at
      AND (p.valid_to IS NULL OR p.valid_to > a.taken_at)
      AND NOT EXISTS (
        SELECT 1 FROM presence q
        WHERE q.series_id = b.series_id AND q.package_id = p.package_id
          AND q.look_id = p.look_id AND q.spec_id = p.spec_id
          AND q.valid_from <= b.taken_at
          AND (q.valid_to IS NULL OR q.valid_to > b.taken_at))
    UNION ALL
    SELECT
      'added', p.package_id, p.look_id, p.spec_id, p.stack_set_id, a.series_id, a.taken_at
    FROM presence p
    WHERE a.series_id <> b.series_id
      AND p.series_id = b.series_id
      AND p.valid_from <= b.taken_at
      AND (p.valid_to IS NULL OR p.valid_to > b.taken_at)
      AND NOT EXISTS (
        SELECT 1 FROM presence q
        WHERE q.series_id = a.series_id AND q.package_id = p.package_id
          AND q.look_id = p.look_id AND q.spec_id = p.spec_id
          AND q.valid_from <= a.taken_at
          AND (q.valid_to IS NULL OR q.valid_to > a.taken_at))),

  -- The first cause that holds; NULL where the other snapshot has a spec that looks the same. That is asked first,
  -- since it is the usual answer and excludes the others.
  explained AS MATERIALIZED (
    SELECT
      c.change, c.package_id, c.look_id, c.spec_id, c.stack_set_id,
      l.version_id, l.arch_id, l.variant_set_id, l.compiler_id,
      CASE
        WHEN EXISTS (
          SELECT 1 FROM look m CROSS JOIN presence p
          WHERE m.package_id = c.package_id AND m.version_id IS l.version_id AND m.arch_id IS l.arch_id
            AND m.variant_set_id IS l.variant_set_id
            AND (m.compiler_id = l.compiler_id OR m.compiler_id IS NULL OR l.compiler_id IS NULL)
            AND p.series_id = c.other_series AND p.package_id = c.package_id AND p.look_id = m.look_id
            AND p.valid_from <= c.other_moment
            AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
        THEN NULL
        WHEN NOT EXISTS (
          SELECT 1 FROM presence p
          WHERE p.series_id = c.other_series AND p.package_id = c.package_id
            AND p.valid_from <= c.other_moment
            AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
        THEN 'package'
        WHEN NOT EXISTS (
          SELECT 1 FROM look m CROSS JOIN presence p
          WHERE m.package_id = c.package_id AND m.version_id IS l.version_id
            AND p.series_id = c.other_series AND p.package_id = c.package_id AND p.look_id = m.look_id
            AND p.valid_from <= c.other_moment
            AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
        THEN 'version'
        WHEN NOT EXISTS (
          SELECT 1 FROM look m CROSS JOIN presence p
          WHERE m.package_id = c.package_id AND m.version_id IS l.version_id AND m.arch_id IS l.arch_id
            AND p.series_id = c.other_series AND p.package_id = c.package_id AND p.look_id = m.look_id
            AND p.valid_from <= c.other_moment
            AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
        THEN 'target'
        WHEN NOT EXISTS (
          SELECT 1 FROM look m CROSS JOIN presence p
          WHERE m.package_id = c.package_id AND m.version_id IS l.version_id AND m.arch_id IS l.arch_id
            AND (m.compiler_id = l.compiler_id OR m.compiler_id IS NULL OR l.compiler_id IS NULL)
            AND p.series_id = c.other_series AND p.package_id = c.package_id AND p.look_id = m.look_id
            AND p.valid_from <= c.other_moment
            AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
        THEN 'compiler'
        ELSE 'variants'
      END AS cause
    FROM changed c
    CROSS JOIN look l ON l.look_id = c.look_id),

  -- The compiler of each look group: NULL where either snapshot has a spec without compiler in it.
  grouped AS MATERIALIZED (
    SELECT e.*,
      CASE WHEN e.cause IS NULL AND e.compiler_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM look m CROSS JOIN presence p
          WHERE m.package_id = e.package_id AND m.version_id IS e.version_id AND m.arch_id IS e.arch_id
            AND m.variant_set_id IS e.variant_set_id AND m.compiler_id IS NULL
            AND p.series_id IN (a.series_id, b.series_id) AND p.package_id = e.package_id
            AND p.look_id = m.look_id
            AND ((p.series_id = a.series_id AND p.valid_from <= a.taken_at
                  AND (p.valid_to IS NULL OR p.valid_to > a.taken_at))
              OR (p.series_id = b.series_id AND p.valid_from <= b.taken_at
                  AND (p.valid_to IS NULL OR p.valid_to > b.taken_at))))
        THEN e.compiler_id
      END AS group_compiler_id
    FROM explained e),

  -- Specs of a look group are paired off in the order of their hashes, so that which ones are does not depend
  -- on the order of loading. 'added' sorts before 'removed'.
  numbered AS MATERIALIZED (
    SELECT
      g.change, g.cause, g.package_id, g.look_id, g.spec_id, g.stack_set_id, g.group_compiler_id,
      min(g.look_id) OVER whole_group            AS group_look_id,
      sum(g.change = 'added') OVER whole_group   AS added,
      sum(g.change = 'removed') OVER whole_group AS removed,
      row_number() OVER look_group               AS number
    FROM grouped g
    CROSS JOIN spec x ON x.spec_id = g.spec_id
    WINDOW
      look_group AS (
        PARTITION BY g.package_id, g.version_id, g.arch_id, g.variant_set_id, g.group_compiler_id,
          g.cause
        ORDER BY g.change, x.hash),
      whole_group AS (
        look_group ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))

  SELECT json_group_array(json_array(
      change,
      CASE WHEN cause IS NOT NULL THEN cause
           WHEN CASE change WHEN 'added' THEN number ELSE number - added END <= min(added, removed)
           THEN 'rebuilt'
           ELSE 'copies' END,
      package_id, look_id, spec_id, stack_set_id,
      CASE WHEN cause IS NULL THEN group_look_id END,
      group_compiler_id))
  FROM numbered)) j;
