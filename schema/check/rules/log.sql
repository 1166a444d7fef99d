-- A ledger has one identity. Rows of `written` are never deleted, and `changed_range` refers to them. A row of `written` says the
-- snapshot that its series and moment give. The last row of a snapshot says whether it is there, and none says that it was removed
-- again. Tokens differ.
SELECT 'ledger_identity: ' || count(*) || ' rows, expected one' AS problem
FROM ledger_identity
HAVING count(*) <> 1
UNION ALL
SELECT 'written: ' || count(*) || ' rows, but the newest is number ' || max(written_id)
FROM written
HAVING max(written_id) <> count(*)
UNION ALL
SELECT 'changed_range: ' || table_name || ' ' || first_id || ' changed at number ' || written_id
    || ', which written does not have'
FROM changed_range
WHERE written_id NOT BETWEEN 0 AND (SELECT ifnull(max(written_id), 0) FROM written)
UNION ALL
SELECT 'changed_range: ' || table_name || ' ' || first_id || ' to ' || last_id || ' are no rows of a table with ids'
FROM changed_range
WHERE first_id NOT BETWEEN 1 AND last_id
   OR table_name NOT IN (
     'arch', 'compiler', 'edge_kind', 'finding', 'look', 'node', 'package', 'page', 'presence', 'recipe', 'series', 'snapshot',
     'spec', 'spec_build_hash', 'stack', 'stack_set', 'target_definition', 'variant', 'variant_set', 'version')
UNION ALL
SELECT 'ledger_identity: ''' || ledger_id || ''' is no id, expected 32 hex digits'
FROM ledger_identity
WHERE length(ledger_id) <> 32 OR ledger_id GLOB '*[^0-9a-f]*'
UNION ALL
SELECT 'written: number ' || written_id || ' has the token ''' || token || ''', expected 16 hex digits'
FROM written
WHERE length(token) <> 16 OR token GLOB '*[^0-9a-f]*'
UNION ALL
SELECT 'written: number ' || w.written_id || ' says ' || CASE
    WHEN w.what = 'filled' THEN 'a series or a moment, and no snapshot'
    WHEN w.series_id IS NULL OR w.taken_at IS NULL THEN w.snapshot || ', and not its series and moment'
    ELSE w.snapshot || ', which is not of '
      || ifnull(strftime('%Y-%m-%dT%H:%M:%SZ', w.taken_at, 'unixepoch'), w.taken_at) END
FROM written w
WHERE CASE WHEN w.what = 'filled' THEN w.series_id IS NOT NULL OR w.taken_at IS NOT NULL
           WHEN w.series_id IS NULL OR w.taken_at IS NULL THEN 1
           WHEN instr(w.snapshot, '@') > 0
           THEN substr(w.snapshot, instr(w.snapshot, '@') + 1)
             IS NOT strftime('%Y-%m-%dT%H:%M:%SZ', w.taken_at, 'unixepoch')
           ELSE substr(w.snapshot, -11) IS NOT '-' || strftime('%Y-%m-%d', w.taken_at, 'unixepoch')
             OR w.taken_at % 86400 <> 0 END
UNION ALL
SELECT 'written: number ' || w.written_id || ' says that ' || w.snapshot || ' was ' || w.what || ', and it is '
    || CASE WHEN s.snapshot_id IS NULL THEN 'not there'
            WHEN w.what = 'written' THEN 'in another series'
            ELSE 'there' END
FROM written w
LEFT JOIN snapshot s ON s.name = w.snapshot
WHERE w.written_id IN (SELECT max(written_id) FROM written WHERE snapshot IS NOT NULL GROUP BY snapshot)
  AND ((w.what = 'written') <> (s.snapshot_id IS NOT NULL)
    OR (w.what = 'written' AND s.series_id IS NOT w.series_id))
UNION ALL
SELECT 'written: number ' || written_id || ' says that ' || snapshot || ' was ' || what || ', as number ' || before_id
    || ' says'
FROM (
  SELECT written_id, snapshot, what,
    lag(what) OVER of_snapshot       AS what_before,
    lag(written_id) OVER of_snapshot AS before_id
  FROM written
  WHERE snapshot IS NOT NULL
  WINDOW of_snapshot AS (PARTITION BY snapshot ORDER BY written_id))
WHERE what <> 'written' AND what_before <> 'written'
UNION ALL
SELECT 'written: numbers ' || group_concat(written_id, ' and ') || ' have the token ' || token
FROM written
GROUP BY token
HAVING count(*) > 1;
