-- title: What stacks should have
-- How many of the specs that the list of a stack wanted at the moment of the snapshot its builds meet. The lists are those of a
-- package repository (ingest). `there` counts the wishes that a build of the stack surely meets: its spec, and what the list
-- requires of the package. `as_far_as_known` counts those of which no source says enough: pages list no dependencies.
-- `percent` is there of wanted. `preferred` counts, of those there, the ones that a build meets as the list prefers. If the
-- snapshot has no stack of the name, what it has of the list is not known. `coverage --stack` lists what is missing.
-- param: at snapshot = latest   the snapshot
-- param: stack glob = *         only lists of stacks that match
-- param: package glob = *       only wishes of packages that match
-- command: coverage
SELECT
  stack,
  count(*)                                                        AS wanted,
  CASE WHEN max(has_stack) = 1 THEN count(*) FILTER (WHERE met = 2) END AS there,
  CASE WHEN max(has_stack) = 1 THEN count(*) FILTER (WHERE met = 1) END AS as_far_as_known,
  CASE WHEN max(has_stack) = 1 THEN count(*) FILTER (WHERE met = 0) END AS missing,
  CASE WHEN max(has_stack) = 1 THEN round(100.0 * count(*) FILTER (WHERE met = 2) / count(*), 2) END AS percent,
  CASE WHEN max(has_stack) = 1 THEN count(*) FILTER (WHERE is_preferred = 1) END AS preferred,
  min(path)                                                       AS path
FROM wish_states
WHERE snapshot = :at
  AND glob(:stack, stack)
  AND glob(:package, coalesce(package, ''))
GROUP BY stack
ORDER BY stack;
