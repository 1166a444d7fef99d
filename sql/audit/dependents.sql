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
-- The program fills temp.dependent_specs from its graph: the specs that depend on those that are asked for, with `direct` and `deptypes`
-- (reports/engine/reach/dependent_specs.sql).
SELECT k.name AS package, v.version, x.hash, t.direct, t.deptypes, g.named_stacks AS stacks
FROM temp.asked_dependents q
CROSS JOIN snapshot s
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
CROSS JOIN temp.dependent_specs t ON t.spec_id = p.spec_id
CROSS JOIN spec x ON x.spec_id = p.spec_id
CROSS JOIN asked_looks l ON l.look_id = x.look_id
CROSS JOIN package k ON k.package_id = l.package_id
LEFT JOIN version v ON v.version_id = l.version_id
LEFT JOIN stack_set g ON g.stack_set_id = p.stack_set_id
WHERE q.spec = :spec AND q.deptype = :deptype AND s.name = :at
ORDER BY t.direct DESC, k.name, v.sort_key NULLS FIRST, x.hash;
