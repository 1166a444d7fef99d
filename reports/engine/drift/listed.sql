-- The specs of the snapshots :from and :to, in all stacks: whether each side lists them. One scan of a series serves both sides.
WITH pair (from_series, from_moment, to_series, to_moment) AS MATERIALIZED (
  SELECT a.series_id, a.taken_at, b.series_id, b.taken_at
  FROM snapshot a
  CROSS JOIN snapshot b
  WHERE a.name = :from AND b.name = :to),
side AS (
  SELECT from_series AS series_id FROM pair UNION SELECT to_series FROM pair),
listed AS (
  SELECT
    p.spec_id,
    p.series_id = q.from_series AND p.valid_from <= q.from_moment AND (p.valid_to IS NULL OR p.valid_to > q.from_moment) AS in_from,
    p.series_id = q.to_series AND p.valid_from <= q.to_moment AND (p.valid_to IS NULL OR p.valid_to > q.to_moment) AS in_to
  FROM pair q
  CROSS JOIN side s
  CROSS JOIN presence p ON p.series_id = s.series_id)
SELECT spec_id, in_from, in_to FROM listed WHERE in_from OR in_to;
