-- A ledger has one identity. Rows of `written` are never deleted, and `changed_range` refers to them.
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
WHERE written_id NOT BETWEEN 0 AND (SELECT ifnull(max(written_id), 0) FROM written);
