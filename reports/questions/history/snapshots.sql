-- The snapshots of the series :series_id, from old to new.
SELECT name, taken_at
FROM snapshot
WHERE series_id = :series_id
ORDER BY taken_at
