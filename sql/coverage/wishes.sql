-- title: What stacks should have
-- How many of the specs that the list of a stack wanted at the moment of the snapshot its builds meet. The lists are those of a
-- package repository (ingest). `there` counts the wishes that a build of the stack surely meets: its spec, and what the list
-- requires of the package. `as_far_as_known` counts those of which no source says enough: pages list no dependencies.
-- `percent` is there of wanted. `preferred` counts, of those there, the ones that a build meets as the list prefers. If the
-- snapshot has no stack of the name, what it has of the list is not known. `coverage --stack` lists what is missing.
-- param: at snapshot = latest   the snapshot
-- param: stack glob = *         only lists of stacks that match
-- param: package glob = *       only wishes of packages that match
-- chart: bars: stack there as_far_as_known missing
-- caption: Wishes of each stack: there, as far as known, missing
-- unit: wishes there as_far_as_known missing
-- unit: % percent
-- command: coverage
WITH
present_set AS MATERIALIZED (
  SELECT DISTINCT stack_set_id FROM present_specs WHERE snapshot = :at),
present_stack AS MATERIALIZED (
  SELECT DISTINCT t.stack FROM present_set p JOIN stack_set_stacks t USING (stack_set_id)),
counted AS (
  SELECT
    stack,
    count(*)                                 AS wanted,
    count(*) FILTER (WHERE met = 2)          AS there,
    count(*) FILTER (WHERE met = 1)          AS as_far_as_known,
    count(*) FILTER (WHERE met = 0)          AS missing,
    count(*) FILTER (WHERE is_preferred = 1) AS preferred,
    min(path)                                AS path
  FROM wish_states
  WHERE snapshot = :at
    AND glob(:stack, stack)
    AND glob(:package, coalesce(package, ''))
  GROUP BY stack)
SELECT
  c.stack,
  c.wanted,
  CASE WHEN p.stack IS NOT NULL THEN c.there END                              AS there,
  CASE WHEN p.stack IS NOT NULL THEN c.as_far_as_known END                    AS as_far_as_known,
  CASE WHEN p.stack IS NOT NULL THEN c.missing END                            AS missing,
  CASE WHEN p.stack IS NOT NULL THEN (20000 * c.there + c.wanted) / (2 * c.wanted) / 100.0 END AS percent,  -- half up
  CASE WHEN p.stack IS NOT NULL THEN c.preferred END                          AS preferred,
  c.path
FROM counted c
LEFT JOIN present_stack p ON p.stack = c.stack
ORDER BY c.stack;
