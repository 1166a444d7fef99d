-- How many of the lost specs the newest snapshots of other series of caches have, and which series these are. :series: the ids of
-- those that are asked, as JSON.
SELECT count(DISTINCT p.spec_id) AS specs, group_concat(DISTINCT r.name) AS series
FROM series r
CROSS JOIN presence p ON p.series_id = r.series_id AND p.valid_to IS NULL
CROSS JOIN temp.pruned_spec l ON l.spec_id = p.spec_id AND l.kept = 0
WHERE r.series_id NOT IN (SELECT value FROM json_each(:series))
  AND r.series_id IN (SELECT series_id FROM snapshot WHERE kind IN ('pages', 'index'));
