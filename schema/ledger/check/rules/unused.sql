-- Every word is used: one that no row refers to is deleted with the last one that did. Looks, pages and sets of stacks may stay
-- until the next sweep, where another snapshot changes what a look or a state is. So may the words of a description that
-- contradicts another one (hash-conflict).
-- schema/ledger/check/rules/nodes.sql has what only nodes use.
SELECT 'package: ' || name || ' is of no look, page, finding or observation' AS problem
FROM package
WHERE package_id NOT IN (SELECT package_id FROM look)
  AND package_id NOT IN (SELECT package_id FROM page)
  AND package_id NOT IN (SELECT package_id FROM observation_exception)
  AND package_id NOT IN (SELECT package_id FROM finding WHERE package_id IS NOT NULL)
UNION ALL
SELECT 'version: ' || version || ' is of no look'
FROM version
WHERE version_id NOT IN (SELECT version_id FROM look WHERE version_id IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM finding WHERE kind = 'hash-conflict')
UNION ALL
SELECT 'arch: ' || platform || '-' || os || '-' || target || ' is of no look'
FROM arch
WHERE arch_id NOT IN (SELECT arch_id FROM look WHERE arch_id IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM finding WHERE kind = 'hash-conflict')
UNION ALL
SELECT 'compiler: ' || spec || ' is of no look'
FROM compiler
WHERE compiler_id NOT IN (SELECT compiler_id FROM look WHERE compiler_id IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM finding WHERE kind = 'hash-conflict')
UNION ALL
SELECT 'variant: ' || name || ' ' || value || ' is of no variant set'
FROM variant
WHERE variant_id NOT IN (SELECT variant_id FROM variant_set_member)
UNION ALL
SELECT 'variant_set: ''' || variants || ''' is of no look'
FROM variant_set
WHERE variant_set_id NOT IN (SELECT variant_set_id FROM look WHERE variant_set_id IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM finding WHERE kind = 'hash-conflict')
UNION ALL
SELECT 'stack: ' || name || ' is of no stack set'
FROM stack
WHERE stack_id NOT IN (SELECT stack_id FROM stack_set_member)
UNION ALL
SELECT 'series: ' || name || ' has no snapshot'
FROM series
WHERE series_id NOT IN (SELECT series_id FROM snapshot);
