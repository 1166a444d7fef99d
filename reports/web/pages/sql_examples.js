// Queries to begin with.

export const examples = [
  {
    title: 'Builds by stack',
    sql: `SELECT stack, count(*) AS specs
FROM spec_stacks
WHERE snapshot = :at AND stack <> 'root'
GROUP BY stack
ORDER BY specs DESC`,
  },
  {
    title: 'Targets and compilers',
    sql: `SELECT target, compiler, count(*) AS specs, count(DISTINCT package) AS packages
FROM specs
WHERE snapshot = :at
GROUP BY target, compiler
ORDER BY specs DESC`,
  },
  {
    title: 'Most versions',
    sql: `SELECT package, count(DISTINCT version) AS versions, count(*) AS specs
FROM specs
WHERE snapshot = :at
GROUP BY package
ORDER BY versions DESC, package
LIMIT 50`,
  },
  {
    title: 'Builds with CUDA',
    sql: `SELECT s.package, s.version, s.target, s.compiler, s.hash
FROM specs s
JOIN spec_variants v ON v.hash = s.hash
WHERE s.snapshot = :at AND v.name = 'cuda' AND v.value = 'true'
ORDER BY s.package, s.version_key`,
  },
  {
    title: 'What came since',
    sql: `SELECT change, cause, package, version, target, compiler, hash
FROM spec_drift
WHERE from_snapshot = :from AND to_snapshot = :to
ORDER BY package, version
LIMIT 1000`,
  },
  {
    title: 'Snapshots',
    sql: `SELECT name, series, taken_at, packages, specs, kind
FROM snapshots
ORDER BY taken_at DESC`,
  },
];
