-- One row for each spec that only one of two snapshots has, with its cause, in the whole cache or in one stack. This is
-- the only definition of the causes. Ask for one pair and one stack: WHERE from_snapshot = ... AND to_snapshot = ... AND
-- stack IS ...
-- A view of pairs: without WHERE it compares each two snapshots. To count its rows, as some tools do with every view, took
-- 41 seconds with 12 snapshots of 5,000 specs, and 4 minutes with 24. `backup --plain` leaves it out.
--
--   stack    NULL: all specs are compared. A name of stack_set_stacks (also '(no stack)'): only specs in that stack are
--            compared. A spec that joins the stack counts as added, and one that leaves it as removed. A spec whose page
--            does not give stacks is in none of them.
--   change   'removed' (only in from_snapshot) or 'added' (only in to_snapshot)
--   cause    the first of these attributes that no spec of the other snapshot shares, together with all attributes before
--            it: 'package', 'version', 'target' (platform, os, target), 'compiler', 'variants'. If the other snapshot has
--            specs that look the same, as many added as removed specs of the look group are 'rebuilt', and the rest are
--            'copies'.
--   stack_set_id
--            the stacks of the spec in the snapshot that has it
--   group_look_id, group_compiler_id, group_added, group_removed
--            for 'rebuilt' and 'copies': the look group (its smallest changed look_id), its compiler, and how many of its
--            specs were added and removed. The compiler is NULL if a spec of the group has none in one of the snapshots:
--            the compiler is then not part of the group.
--
-- A missing compiler matches any compiler: before Spack 1.0 every spec had a compiler, and since then only specs that
-- use one. Specs of a package that no snapshot of the other series had observed by then are left out: whether they
-- changed is not known.
--
-- The rows come from one scalar subquery that returns a JSON array. A scalar subquery can refer to the two snapshots
-- and is evaluated once for each pair; a plain join of its steps would be computed for all pairs of snapshots. The
-- program takes the text between the two marks and puts another `asked` before it, to have the rows of one pair in a
-- table (reports/engine/drift/pair_drift.cpp).
--
-- Each step reads the step before it, and reads it once. SQLite makes no index for a step that refers to the two
-- snapshots, so a join of two such steps would compare all of their rows, and SQLite computes a step again for each
-- step that reads it. The rows come as texts of fixed width: SQLite 3.40 allows no json_extract and no json_group_array in a view
-- where trusted_schema is off, and SQLite 3.37 has no ->>.
CREATE VIEW stack_drift AS
SELECT
  a.snapshot_id AS from_id,        -- the id of the snapshot before
  b.snapshot_id AS to_id,          -- the id of the snapshot after
  a.name        AS from_snapshot,  -- the name of the snapshot before
  b.name        AS to_snapshot,    -- the name of the snapshot after
  o.stack       AS stack,          -- NULL: the whole cache
  CAST(trim(substr(j.value, 1, 10)) AS TEXT) AS change,         -- 'removed' (only before) or 'added' (only after)
  CAST(trim(substr(j.value, 11, 20)) AS TEXT) AS cause,          -- package, version, target, compiler, variants, rebuilt, copies
  CAST(nullif(trim(substr(j.value, 31, 20)), '') AS INTEGER) AS package_id,
  CAST(nullif(trim(substr(j.value, 51, 20)), '') AS INTEGER) AS look_id,
  CAST(nullif(trim(substr(j.value, 71, 20)), '') AS INTEGER) AS spec_id,
  CAST(nullif(trim(substr(j.value, 91, 20)), '') AS INTEGER) AS stack_set_id,
  CAST(nullif(trim(substr(j.value, 111, 20)), '') AS INTEGER) AS group_look_id,  -- the look group, where the cause is rebuilt or copies
  CAST(nullif(trim(substr(j.value, 131, 20)), '') AS INTEGER) AS group_compiler_id,  -- its compiler; NULL: not part of the group
  CAST(nullif(trim(substr(j.value, 151, 20)), '') AS INTEGER) AS group_added,    -- how many of its specs were added
  CAST(nullif(trim(substr(j.value, 171, 20)), '') AS INTEGER) AS group_removed   -- how many of its specs were removed
FROM (SELECT NULL AS stack UNION SELECT stack FROM stack_set_stacks) o
CROSS JOIN snapshot a
CROSS JOIN snapshot b
CROSS JOIN json_each((
  WITH
  asked (from_series, from_moment, to_series, to_moment, stack, pattern) AS MATERIALIZED (
    SELECT a.series_id, a.taken_at, b.series_id, b.taken_at, o.stack, NULL),
-- definition: from here
  chosen_set AS NOT MATERIALIZED (
    SELECT t.stack_set_id
    FROM asked q
    CROSS JOIN stack_set_stacks t
    WHERE t.stack = q.stack OR glob(q.pattern, t.stack)),
  -- The presence rows that are compared: all, or those of the stack.
  present AS NOT MATERIALIZED (
    SELECT p.series_id, p.package_id, p.look_id, p.spec_id, p.stack_set_id, p.valid_from, p.valid_to
    FROM presence p
    WHERE (SELECT q.stack FROM asked q) IS NULL
       OR EXISTS (SELECT 1 FROM chosen_set t WHERE t.stack_set_id = p.stack_set_id)),

  -- Specs of one snapshot that the other may lack, with the series and moment of the other. If both snapshots are in one
  -- series, only intervals that begin or end between the two moments can differ.
  period (from_series, from_moment, to_series, to_moment, first, last) AS (
    SELECT
      from_series, from_moment, to_series, to_moment,
      CAST(min(from_moment, to_moment) AS BIGINT), CAST(max(from_moment, to_moment) AS BIGINT)
    FROM asked),
  candidate (change, look_id, package_id, spec_id, stack_set_id, other_series, other_moment) AS NOT MATERIALIZED (
    SELECT
      CASE WHEN q.from_moment < q.to_moment THEN 'removed' ELSE 'added' END,
      p.look_id, p.package_id, p.spec_id, p.stack_set_id, q.to_series, q.last
    FROM period q
    CROSS JOIN presence p
    WHERE p.series_id = q.from_series
      AND p.valid_to > q.first
      AND p.valid_to <= q.last
      AND p.valid_from <= q.first
      AND q.from_series = q.to_series
    UNION ALL
    SELECT
      CASE WHEN q.from_moment < q.to_moment THEN 'added' ELSE 'removed' END,
      p.look_id, p.package_id, p.spec_id, p.stack_set_id, q.to_series, q.first
    FROM period q
    CROSS JOIN presence p
    WHERE p.series_id = q.from_series
      AND p.valid_from > q.first
      AND p.valid_from <= q.last
      AND (p.valid_to IS NULL OR p.valid_to > q.last)
      AND q.from_series = q.to_series
    UNION ALL
    SELECT 'removed', p.look_id, p.package_id, p.spec_id, p.stack_set_id, q.to_series, q.to_moment
    FROM period q
    CROSS JOIN presence p
    WHERE p.series_id = q.from_series
      AND +p.valid_from <= q.from_moment  -- the + keeps SQLite from using an index: a full scan is faster here
      AND (p.valid_to IS NULL OR p.valid_to > q.from_moment)
      AND q.from_series <> q.to_series
    UNION ALL
    SELECT 'added', p.look_id, p.package_id, p.spec_id, p.stack_set_id, q.from_series, q.from_moment
    FROM period q
    CROSS JOIN presence p
    WHERE p.series_id = q.to_series
      AND +p.valid_from <= q.to_moment
      AND (p.valid_to IS NULL OR p.valid_to > q.to_moment)
      AND q.from_series <> q.to_series),

  -- All specs of a look have the same cause, so the cause is found once for each look. Its specs are kept in one JSON
  -- object, {"spec_id": stack_set_id, ...}. The id of a removed spec is negative.
  changed_look AS NOT MATERIALIZED (
    SELECT
      c.look_id,
      count(*) FILTER (WHERE c.change = 'added')   AS added,
      count(*) FILTER (WHERE c.change = 'removed') AS removed,
      '{' || group_concat(
        '"' || CASE c.change WHEN 'added' THEN c.spec_id ELSE -c.spec_id END || '":'
        || coalesce(CAST(c.stack_set_id AS TEXT), 'null'), ',') || '}' AS specs
    FROM candidate c
    WHERE ((SELECT q.stack FROM asked q) IS NULL
        OR EXISTS (SELECT 1 FROM chosen_set t WHERE t.stack_set_id = c.stack_set_id))
      AND NOT EXISTS (
        SELECT 1 FROM present p
        WHERE p.series_id = c.other_series AND p.package_id = c.package_id
          AND p.look_id = c.look_id AND p.spec_id = c.spec_id
          AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
    GROUP BY c.look_id),
  -- If a look was only added or only removed, check whether the other snapshot has it. If it was both, both have it.
  asked_look AS NOT MATERIALIZED (
    SELECT
      n.look_id, n.added, n.removed, n.specs,
      CASE WHEN n.added > 0 THEN q.from_series ELSE q.to_series END AS other_series,
      CASE WHEN n.added > 0 THEN q.from_moment ELSE q.to_moment END AS other_moment
    FROM changed_look n
    CROSS JOIN asked q),
  explained AS MATERIALIZED (
    SELECT
      c.look_id, c.added, c.removed, c.specs,
      l.package_id, l.version_id, l.arch_id, l.variant_set_id, l.compiler_id,
      CASE
        WHEN c.added > 0 AND c.removed > 0 THEN 'alike'
        WHEN EXISTS (
          SELECT 1 FROM present p
          WHERE p.series_id = c.other_series AND p.package_id = l.package_id AND p.look_id = l.look_id
            AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
        THEN 'alike'
        ELSE coalesce(
          -- The first difference from the nearest look for this target, if the other snapshot has one.
          (SELECT
             CASE max(CASE WHEN m.compiler_id <> l.compiler_id THEN 1
                           WHEN m.variant_set_id IS NOT l.variant_set_id THEN 2
                           ELSE 3 END)
             WHEN 1 THEN 'compiler' WHEN 2 THEN 'variants' WHEN 3 THEN 'alike' END
           FROM look m
           WHERE m.package_id = l.package_id AND m.version_id IS l.version_id AND m.arch_id IS l.arch_id
             AND m.look_id <> l.look_id  -- that one is not there, as was just found
             AND EXISTS (
               SELECT 1 FROM present p
               WHERE p.series_id = c.other_series AND p.package_id = l.package_id AND p.look_id = m.look_id
                 AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))),
          CASE
            WHEN EXISTS (
              SELECT 1 FROM look m
              WHERE m.package_id = l.package_id AND m.version_id IS l.version_id
                AND m.arch_id IS NOT l.arch_id  -- nor one for this target
                AND EXISTS (
                  SELECT 1 FROM present p
                  WHERE p.series_id = c.other_series AND p.package_id = l.package_id AND p.look_id = m.look_id
                    AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment)))
            THEN 'target'
            WHEN EXISTS (
              SELECT 1 FROM present p
              WHERE p.series_id = c.other_series AND p.package_id = l.package_id
                AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
            THEN 'version'
            WHEN EXISTS (
              SELECT 1 FROM observations s
              WHERE s.series_id = c.other_series AND s.package_id = l.package_id AND s.taken_at <= c.other_moment)
            THEN 'package'
            ELSE 'unobserved'
          END)
      END AS cause
    FROM asked_look c
    CROSS JOIN look l
    WHERE l.look_id = c.look_id),

  -- `place` names the look group. If either snapshot has the look without a compiler, that look names the group.
  -- Otherwise each look is a group of its own.
  placed AS (
    SELECT
      e.look_id, e.added, e.removed, e.specs, e.package_id, e.compiler_id, e.cause,
      CASE
        WHEN e.cause <> 'alike' THEN -e.look_id
        WHEN e.compiler_id IS NULL THEN e.look_id
        ELSE coalesce(
          (SELECT m.look_id
           FROM look m
           WHERE m.package_id = e.package_id AND m.version_id IS e.version_id AND m.arch_id IS e.arch_id
             AND m.variant_set_id IS e.variant_set_id AND m.compiler_id IS NULL
             AND EXISTS (
               SELECT 1 FROM asked q
               WHERE EXISTS (
                 SELECT 1 FROM present p
                 WHERE p.series_id IN (q.from_series, q.to_series)
                   AND p.package_id = e.package_id AND p.look_id = m.look_id
                   AND ((p.series_id = q.from_series AND p.valid_from <= q.from_moment
                         AND (p.valid_to IS NULL OR p.valid_to > q.from_moment))
                     OR (p.series_id = q.to_series AND p.valid_from <= q.to_moment
                         AND (p.valid_to IS NULL OR p.valid_to > q.to_moment)))))),
          e.look_id)
      END AS place
    FROM explained e
    WHERE e.cause <> 'unobserved'),
  grouped AS MATERIALIZED (
    SELECT
      cause, package_id, look_id, specs, cause = 'alike' AS is_group,
      CASE WHEN place = look_id THEN compiler_id END AS compiler_id,
      min(look_id) OVER look_group                   AS first_look_id,
      sum(added) OVER look_group                     AS added,
      sum(removed) OVER look_group                   AS removed
    FROM placed
    WINDOW look_group AS (PARTITION BY place)),

  -- The specs again, one row each. In a group with added and removed specs, the smaller side is 'rebuilt'; as many of the
  -- larger side are too. The next step finds out which ones: their cause is NULL here.
  listed AS NOT MATERIALIZED (
    SELECT
      CASE WHEN CAST(j.key AS BIGINT) > 0 THEN 'added' ELSE 'removed' END AS change,
      CASE
        WHEN NOT g.is_group THEN g.cause
        WHEN g.added = 0 OR g.removed = 0 THEN 'copies'
        WHEN g.added = g.removed THEN 'rebuilt'
        WHEN (CAST(j.key AS BIGINT) > 0) = (g.added < g.removed) THEN 'rebuilt'
      END                                           AS cause,
      g.package_id,
      g.look_id,
      abs(CAST(j.key AS BIGINT))                   AS spec_id,
      j.value                                       AS stack_set_id,
      CASE WHEN g.is_group THEN g.first_look_id END AS group_look_id,
      CASE WHEN g.is_group THEN g.compiler_id END   AS group_compiler_id,
      CASE WHEN g.is_group THEN g.added END         AS group_added,
      CASE WHEN g.is_group THEN g.removed END       AS group_removed
    FROM grouped g
    CROSS JOIN json_each(CAST(g.specs AS TEXT)) j),
  -- The hashes decide which specs are rebuilt. So the result does not depend on the order of loading.
  told AS (
    SELECT
      change, cause, package_id, look_id, spec_id, stack_set_id,
      group_look_id, group_compiler_id, group_added, group_removed
    FROM listed
    WHERE cause IS NOT NULL
    UNION ALL
    SELECT
      d.change,
      CASE
        WHEN row_number() OVER (PARTITION BY d.group_look_id ORDER BY x.hash) <= min(d.group_added, d.group_removed)
        THEN 'rebuilt'
        ELSE 'copies'
      END,
      d.package_id, d.look_id, d.spec_id, d.stack_set_id,
      d.group_look_id, d.group_compiler_id, d.group_added, d.group_removed
    FROM listed d
    CROSS JOIN spec x
    WHERE x.spec_id = d.spec_id
      AND d.group_added <> d.group_removed
      AND d.cause IS NULL)
-- definition: up to here
  SELECT '[' || group_concat(printf('"%10s%20s%20s%20s%20s%20s%20s%20s%20s%20s"',
    change, cause, package_id, look_id, spec_id, stack_set_id,
    group_look_id, group_compiler_id, group_added, group_removed), ',') || ']'
  FROM told)) j;
