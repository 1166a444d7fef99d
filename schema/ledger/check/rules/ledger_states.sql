-- Rows of `ledger_state` are never deleted, and their tokens are random.
SELECT 'ledger_state: ' || count(*) || ' rows, but the newest is number ' || ifnull(max(state_id), 'none') AS problem
FROM ledger_state
HAVING count(*) = 0 OR max(state_id) <> count(*)
UNION ALL
SELECT 'ledger_state: number ' || state_id || ' has the token ''' || token || ''', expected 32 hex digits'
FROM ledger_state
WHERE token GLOB '*[^0-9a-f]*';
