-- title: Hashes that recompute
-- For how many specs the DAG hash can be computed again from the text of the node: 'recomputed'; 'respelled', where another
-- version of Spack may have written the node anew, and its hash stayed; 'spliced', whose last characters are no hash of the text;
-- 'unknowable': what was hashed before Spack 0.18 is not all in the text; 'wrong', where none of these explains it; and
-- 'unknown', where only pages gave the spec. Each Spack writes the features of a target by its own table, so a text that lists
-- them is never called wrong: 'respelled' is no proof that the text is as it was. `specs` are those in the snapshot,
-- `depended_on` those that they reach beside them.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- total: specs depended_on
-- filters: looks
-- The program fills temp.beyond_specs from its graph: what the specs of the snapshot reach beside them
-- (reports/engine/reach/beyond_specs.sql).
WITH
counted (state, specs, depended_on) AS (
  SELECT coalesce(n.hash_state, 'unknown'), sum(a.is_present), sum(1 - a.is_present)
  FROM (
    SELECT p.spec_id, p.look_id, 1 AS is_present
    FROM snapshot s
    CROSS JOIN presence p
      ON p.series_id = s.series_id
     AND +p.valid_from <= s.taken_at
     AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
    WHERE s.name = :at
    UNION ALL
    SELECT b.spec_id, x.look_id, 0 FROM temp.beyond_specs b CROSS JOIN spec x ON x.spec_id = b.spec_id) a
  CROSS JOIN asked_looks l ON l.look_id = a.look_id
  CROSS JOIN package k ON k.package_id = l.package_id
  LEFT JOIN node n ON n.spec_id = a.spec_id
  WHERE glob(:package, k.name)
  GROUP BY coalesce(n.hash_state, 'unknown')),
state (position, state) AS (
  VALUES (1, 'recomputed'), (2, 'respelled'), (3, 'spliced'), (4, 'unknowable'), (5, 'wrong'), (6, 'unknown'))
SELECT s.state, coalesce(c.specs, 0) AS specs, coalesce(c.depended_on, 0) AS depended_on
FROM state s
LEFT JOIN counted c USING (state)
ORDER BY s.position;
