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
WITH RECURSIVE
present (spec_id, look_id) AS MATERIALIZED (
  SELECT p.spec_id, p.look_id
  FROM snapshot s
  CROSS JOIN presence p
    ON p.series_id = s.series_id
   AND +p.valid_from <= s.taken_at
   AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  WHERE s.name = :at),
-- DISTINCT comes before the search among the specs present: few are left.
direct (spec_id) AS MATERIALIZED (
  SELECT DISTINCT d.dependency_id FROM present p CROSS JOIN dependency d ON d.spec_id = p.spec_id),
beyond (spec_id) AS (
  SELECT spec_id FROM direct WHERE spec_id NOT IN (SELECT spec_id FROM present)
  UNION
  SELECT d.dependency_id
  FROM beyond b
  CROSS JOIN dependency d ON d.spec_id = b.spec_id
  WHERE d.dependency_id NOT IN (SELECT spec_id FROM present)),
counted (state, specs, depended_on) AS (
  SELECT coalesce(n.hash_state, 'unknown'), sum(a.is_present), sum(1 - a.is_present)
  FROM (
    SELECT spec_id, look_id, 1 AS is_present FROM present
    UNION ALL
    SELECT b.spec_id, x.look_id, 0 FROM beyond b CROSS JOIN spec x ON x.spec_id = b.spec_id) a
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
