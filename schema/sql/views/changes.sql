-- One row for each spec that appears ('added'), disappears ('removed') or moves between stacks ('stacks') at a snapshot,
-- compared with the snapshot before it in its series. In the first snapshot of a series every spec is 'added'. The specs
-- of a package that no earlier snapshot observed have no row. A spec does not move if its stack sets differ only in
-- `root`, or if one of them is not known.
CREATE VIEW changes AS
SELECT
  s.snapshot_id,
  s.name                                                 AS snapshot,
  r.name                                                 AS series,
  CAST(strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch') AS TEXT) AS taken_at,
  k.name                                                 AS package,
  x.hash,
  CAST(CASE p.came WHEN 1 THEN 'added' ELSE 'stacks' END AS TEXT)      AS change  -- 'added', 'removed', 'stacks'
FROM snapshot s
JOIN series r ON r.series_id = s.series_id
JOIN presence p ON p.series_id = s.series_id AND p.valid_from = s.taken_at
LEFT JOIN presence before
  ON p.came = 0
 AND before.series_id = p.series_id
 AND before.package_id = p.package_id
 AND before.look_id = p.look_id
 AND before.spec_id = p.spec_id
 AND before.valid_to = p.valid_from
LEFT JOIN stack_set now ON now.stack_set_id = p.stack_set_id
LEFT JOIN stack_set earlier ON earlier.stack_set_id = before.stack_set_id
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id
WHERE now.named_stacks <> earlier.named_stacks
   OR (p.came = 1
       AND (NOT EXISTS (
              SELECT 1 FROM snapshot o
              WHERE o.series_id = s.series_id AND o.taken_at < s.taken_at)
            OR EXISTS (
              SELECT 1 FROM observations o
              WHERE o.series_id = s.series_id AND o.package_id = p.package_id
                AND o.taken_at < s.taken_at)))
UNION ALL
SELECT
  s.snapshot_id,
  s.name,
  r.name,
  strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch'),
  k.name,
  x.hash,
  'removed'
FROM snapshot s
JOIN series r ON r.series_id = s.series_id
JOIN presence p ON p.series_id = s.series_id AND p.valid_to = s.taken_at AND p.went = 1
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id;
