-- The specs that are kept (:kept is 1) or lost (0). `listed` is 1 if the newest snapshots have it, `needed` is 1 if it is lost and
-- a kept spec needs it to link or to run.
SELECT
  k.name         AS package,
  v.version,
  x.hash,
  c.spec         AS compiler,
  a.platform,
  a.os,
  a.target,
  g.named_stacks AS stacks,
  p.bytes,
  strftime('%Y-%m-%dT%H:%M:%SZ', p.last_seen, 'unixepoch') AS last_seen,
  p.listed,
  p.needed
FROM temp.pruned_spec p
CROSS JOIN spec x ON x.spec_id = p.spec_id
CROSS JOIN look l ON l.look_id = x.look_id
CROSS JOIN package k ON k.package_id = l.package_id
LEFT JOIN version v ON v.version_id = l.version_id
LEFT JOIN compiler c ON c.compiler_id = l.compiler_id
LEFT JOIN arch a ON a.arch_id = l.arch_id
LEFT JOIN stack_set g ON g.stack_set_id = p.stack_set_id
WHERE p.kept = :kept
ORDER BY k.name, v.sort_key, x.hash;
