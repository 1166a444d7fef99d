-- The snapshots of the series :series_id at which specs of temp.history_spec came, went or moved between stacks, from old to
-- new; and the newest snapshot that observed the package, if they are there. reports/history/scope.sql makes the temporary
-- tables.
SELECT
  s.name                                                   AS snapshot,
  strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch')  AS taken_at,
  s.taken_at                                               AS moment,
  (SELECT b.name FROM snapshot b
   WHERE b.series_id = s.series_id AND b.taken_at < s.taken_at
   ORDER BY b.taken_at DESC LIMIT 1)                       AS before,
  -- Whether an earlier snapshot of the series observed the package.
  EXISTS (
    SELECT 1 FROM observations o
    WHERE o.series_id = s.series_id AND o.package_id = :package_id AND o.taken_at < s.taken_at) AS is_known_before,
  -- Whether the specs were there before, at any time.
  EXISTS (
    SELECT 1 FROM temp.presence p JOIN temp.history_spec h USING (spec_id)
    WHERE p.valid_from < s.taken_at)                       AS was_there,
  (SELECT count(*) FROM temp.presence p JOIN temp.history_spec h USING (spec_id)
   WHERE p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)) AS builds,
  (SELECT count(*) FROM temp.presence p JOIN temp.history_spec h USING (spec_id)
   WHERE p.valid_from = s.taken_at AND p.came = 1)         AS came,
  (SELECT count(*) FROM temp.presence p JOIN temp.history_spec h USING (spec_id)
   WHERE p.valid_to = s.taken_at AND p.went = 1)           AS went,
  EXISTS (
    SELECT 1 FROM temp.presence p JOIN temp.history_spec h USING (spec_id)
    WHERE p.valid_from = s.taken_at OR p.valid_to = s.taken_at) AS is_event
FROM snapshot s
WHERE s.series_id = :series_id
  AND (
    EXISTS (
      SELECT 1 FROM temp.presence p JOIN temp.history_spec h USING (spec_id)
      WHERE p.valid_from = s.taken_at OR p.valid_to = s.taken_at)
    OR s.taken_at = (
      SELECT max(o.taken_at) FROM observations o
      WHERE o.series_id = :series_id AND o.package_id = :package_id))
ORDER BY s.taken_at
