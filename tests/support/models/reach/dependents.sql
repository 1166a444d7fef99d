-- title: What needs a spec
-- The specs of the snapshot that depend on a spec, directly or through others: what breaks if it is pulled. `direct` is 1
-- where an edge leads to it, with the types of that edge. --spec is a hash, or a package: then all its builds. It can also
-- be a JSON array of spec_ids. Dependencies that are not part of the hash count as any source gave them (see the view
-- varying_dependencies).
-- param: at snapshot = latest             the snapshot
-- param: spec text = ''                   a hash of 32 characters, the name of a package, or ids as in [1,2]
-- param: deptype text = build,link,run    only edges with one of these types
-- filters: looks
-- command: dependents
WITH RECURSIVE
kind (edge_kind_id) AS MATERIALIZED (
  SELECT edge_kind_id
  FROM edge_kind
  WHERE (is_build = 1 AND instr(',' || :deptype || ',', ',build,') > 0)
     OR (is_link = 1 AND instr(',' || :deptype || ',', ',link,') > 0)
     OR (is_run = 1 AND instr(',' || :deptype || ',', ',run,') > 0)
     OR (is_test = 1 AND instr(',' || :deptype || ',', ',test,') > 0)),
asked (spec_id) AS MATERIALIZED (
  SELECT spec_id FROM spec WHERE hash = :spec
  UNION
  SELECT x.spec_id
  FROM package k
  CROSS JOIN look l ON l.package_id = k.package_id
  CROSS JOIN spec x ON x.look_id = l.look_id
  WHERE k.name = :spec
  UNION
  SELECT value FROM json_each(CASE WHEN glob('[[]*', :spec) THEN :spec ELSE '[]' END)),
direct (spec_id) AS MATERIALIZED (
  SELECT DISTINCT d.spec_id
  FROM asked a
  CROSS JOIN dependency d ON d.dependency_id = a.spec_id
  CROSS JOIN kind k ON k.edge_kind_id = d.edge_kind_id),
-- DISTINCT comes before the search among the direct ones: few are left where nearly all specs need it.
second (spec_id) AS MATERIALIZED (
  SELECT DISTINCT d.spec_id
  FROM direct u
  CROSS JOIN dependency d ON d.dependency_id = u.spec_id
  CROSS JOIN kind k ON k.edge_kind_id = d.edge_kind_id),
above (spec_id) AS (
  SELECT spec_id FROM second WHERE spec_id NOT IN (SELECT spec_id FROM direct)
  UNION
  SELECT d.spec_id
  FROM above u
  CROSS JOIN dependency d ON d.dependency_id = u.spec_id
  CROSS JOIN kind k ON k.edge_kind_id = d.edge_kind_id
  WHERE d.spec_id NOT IN (SELECT spec_id FROM direct)),
dependent (spec_id, direct) AS MATERIALIZED (
  SELECT spec_id, 1 FROM direct
  UNION ALL
  SELECT spec_id, 0 FROM above)
SELECT
  k.name AS package, v.version, x.hash, t.direct,
  (SELECT group_concat(deptypes, ' ')
   FROM (
     SELECT DISTINCT e.deptypes
     FROM dependency d
     CROSS JOIN kind k ON k.edge_kind_id = d.edge_kind_id
     CROSS JOIN edge_kind e ON e.edge_kind_id = d.edge_kind_id
     WHERE d.spec_id = p.spec_id AND d.dependency_id IN (SELECT spec_id FROM asked)
     ORDER BY e.deptypes) o) AS deptypes,
  g.named_stacks AS stacks
FROM snapshot s
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
CROSS JOIN dependent t ON t.spec_id = p.spec_id
CROSS JOIN spec x ON x.spec_id = p.spec_id
CROSS JOIN asked_looks l ON l.look_id = x.look_id
CROSS JOIN package k ON k.package_id = l.package_id
LEFT JOIN version v ON v.version_id = l.version_id
LEFT JOIN stack_set g ON g.stack_set_id = p.stack_set_id
WHERE s.name = :at
ORDER BY t.direct DESC, k.name, v.sort_key NULLS FIRST, x.hash;
