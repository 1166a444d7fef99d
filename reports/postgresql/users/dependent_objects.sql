-- What users made that hangs on a published ledger, in words: "the view public.dash". $1 and $2: the schemas of the ledger, $3: the
-- names of what the program makes there. The views over all ledgers are the program's, too.
WITH
own AS (
  SELECT c.oid
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ($1, $2) AND (c.relname = ANY (CAST($3 AS text[])) OR c.relkind NOT IN ('r', 'v', 'm', 'p', 'f', 'S'))),
own_function AS (
  SELECT p.oid
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = $2),
relation AS (
  SELECT c.oid, n.nspname, CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' ELSE 'table' END AS kind,
    format('%I.%I', n.nspname, c.relname) AS name
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f', 'S') AND c.oid NOT IN (SELECT oid FROM own)
    AND NOT (n.nspname = 'cacheledger' AND c.relname LIKE 'all\_%'))
SELECT DISTINCT format('the %s %s', kind, name) AS object
FROM relation JOIN pg_rewrite r ON r.ev_class = relation.oid
JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid IN (SELECT oid FROM own)
  OR d.refclassid = 'pg_proc'::regclass AND d.refobjid IN (SELECT oid FROM own_function)
UNION
SELECT format('the %s %s', kind, name)
FROM relation JOIN pg_constraint c ON c.conrelid = relation.oid
WHERE c.confrelid IN (SELECT oid FROM own)
UNION
SELECT format('the %s %s', kind, name)
FROM relation
WHERE nspname IN ($1, $2)
UNION
SELECT 'the function ' || p.oid::regprocedure
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid IN (SELECT oid FROM own)
UNION
SELECT 'the publication ' || quote_ident(pubname)
FROM pg_publication
WHERE oid IN (
  SELECT prpubid FROM pg_publication_rel WHERE prrelid IN (SELECT oid FROM own)
  UNION
  SELECT pnpubid FROM pg_publication_namespace WHERE pnnspid::regnamespace::text IN (quote_ident($1), quote_ident($2)))
ORDER BY object
