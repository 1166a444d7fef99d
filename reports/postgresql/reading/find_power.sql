-- Why a connection may do more than read; no row if it may not. What counts is all that it can become (SET ROLE, also by a
-- function): who logged in, the current role, and those of which they are members. $1: the schema of the ledger.
WITH held AS MATERIALIZED (
  SELECT r.*, rolname IN (session_user, current_user) AS is_own
  FROM pg_roles r
  WHERE pg_has_role(session_user, oid, 'MEMBER') OR pg_has_role(current_user, oid, 'MEMBER'))
SELECT CASE WHEN is_own THEN 'it is ' ELSE 'it is a member of ' || rolname || ', ' END || 'a superuser' AS reason
FROM held WHERE rolsuper AND (is_own OR NOT EXISTS (SELECT FROM held WHERE is_own AND rolsuper))
UNION ALL
SELECT 'it may make ' || CASE WHEN rolcreaterole THEN 'roles' ELSE 'databases' END
FROM held WHERE rolcreaterole OR rolcreatedb
UNION ALL
SELECT 'it may ' || CASE WHEN rolreplication THEN 'read the log of the server' ELSE 'read rows that others may not' END
FROM held WHERE rolreplication OR rolbypassrls
UNION ALL
SELECT 'it is a member of ' || rolname
FROM held
WHERE rolname LIKE 'pg\_%' AND rolname <> 'pg_database_owner'
UNION ALL
SELECT 'it may make schemas in this database'
FROM held
WHERE has_database_privilege(oid, current_database(), 'CREATE')
UNION ALL
SELECT 'it owns ' || nspname || '.' || relname
FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN held ON held.oid = relowner
WHERE nspname NOT LIKE 'pg\_%'
UNION ALL
SELECT 'it may make tables in the schema ' || nspname
FROM pg_namespace n CROSS JOIN held
WHERE has_schema_privilege(held.oid, n.oid, 'CREATE') AND nspname NOT LIKE 'pg\_%'
UNION ALL
SELECT 'it may change ' || nspname || '.' || relname
FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace CROSS JOIN held
WHERE nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema' AND relkind IN ('r', 'v', 'm', 'p', 'f')
  AND (has_table_privilege(held.oid, c.oid, 'DELETE, TRUNCATE')
    OR has_any_column_privilege(held.oid, c.oid, 'INSERT, UPDATE'))
UNION ALL
SELECT 'it may read the tables of the ledger, not only its views: ' || relname
FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace CROSS JOIN held
WHERE nspname = $1 AND relkind IN ('r', 'p') AND has_any_column_privilege(held.oid, c.oid, 'SELECT')
UNION ALL
-- Such a function does what its owner may. Those of extensions are made to be called by all, and so is that which makes the views
-- over all ledgers.
SELECT 'it may call ' || nspname || '.' || proname || ', which runs with the rights of its owner'
FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace CROSS JOIN held
WHERE prosecdef AND nspname NOT IN ('pg_catalog', 'information_schema')
  AND NOT (nspname = 'cacheledger' AND proname = 'make_views_of_all_ledgers')
  AND has_schema_privilege(held.oid, n.oid, 'USAGE') AND has_function_privilege(held.oid, p.oid, 'EXECUTE')
  AND NOT EXISTS (
    SELECT FROM pg_depend d
    WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
UNION ALL
SELECT 'it may call ' || proname || ', which not everyone may'
FROM pg_proc p CROSS JOIN held
WHERE pronamespace = 'pg_catalog'::regnamespace AND proacl IS NOT NULL
  AND NOT EXISTS (SELECT FROM aclexplode(proacl) a WHERE a.grantee = 0)
  AND has_function_privilege(held.oid, p.oid, 'EXECUTE')
LIMIT 1
