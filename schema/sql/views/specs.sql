-- One row for each spec in each snapshot. Ask for one snapshot (by snapshot_id or snapshot): the ledger holds every
-- spec of every moment. ORDER BY version_key and compiler_key gives the natural order of versions and compilers. The
-- columns from namespace on come from indexes, lock files and install databases: they are NULL (knows_dependencies: 0)
-- where no such source had the spec.
CREATE VIEW specs AS
SELECT
  s.snapshot_id,
  s.name                                                 AS snapshot,   -- the name of the snapshot
  s.tag,
  CAST(strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch') AS TEXT) AS taken_at,
  k.name                                                 AS package,
  v.version,
  x.hash,                                                               -- the DAG hash, 32 characters
  c.spec                                                 AS compiler,
  c.name                                                 AS compiler_name,  -- the compiler without its version: gcc
  c.version                                              AS compiler_version,  -- its version: 13.2.0
  a.os,
  a.platform,
  a.target,
  t.variants,
  g.stacks,                                                             -- sorted, separated by commas; NULL: not known
  x.size,                                                               -- the text of a page, or the bytes that a mirror gives
  v.sort_key                                             AS version_key,
  c.sort_key                                             AS compiler_key,
  o.namespace,                                                          -- of the recipe, such as builtin
  o.package_hash,                                                       -- the hash of the recipe
  o.external,                                                           -- 1: not built by Spack; 0: built
  o.external_path,                                                      -- where an external one is
  n.build_hash,                                                         -- of a spliced spec: the hash that was built
  CAST(CASE WHEN n.spec_id IS NULL THEN 0 ELSE 1 END AS INTEGER)          AS knows_dependencies,  -- 1: its dependencies are known; 0: not
  o.flags                                                               -- of compilers: cflags=-O2 -g; '' for none
FROM snapshot s
JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id AND x.look_id = p.look_id
JOIN look l ON l.look_id = p.look_id AND l.package_id = p.package_id
LEFT JOIN version v ON v.version_id = l.version_id
LEFT JOIN arch a ON a.arch_id = l.arch_id
LEFT JOIN compiler c ON c.compiler_id = l.compiler_id
LEFT JOIN variant_set t ON t.variant_set_id = l.variant_set_id
LEFT JOIN stack_set g ON g.stack_set_id = p.stack_set_id
LEFT JOIN node n ON n.spec_id = p.spec_id
LEFT JOIN recipe o ON o.recipe_id = n.recipe_id;
