-- What goes with a published ledger when its schemas are dropped, in words: "the view public.dash". $1 and $2: the schemas, $3: the names
-- of what the program makes there.
WITH RECURSIVE
inside AS (
  SELECT 'pg_class'::regclass::oid AS classid, c.oid AS objid, c.relname = ANY (CAST($3 AS text[])) OR c.relkind NOT IN ('r', 'v', 'm', 'p', 'f', 'S') AS is_own
  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE nspname IN ($1, $2)
  UNION ALL
  SELECT 'pg_type'::regclass::oid, t.oid, true
  FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace
  WHERE nspname IN ($1, $2)
  UNION ALL
  SELECT 'pg_proc'::regclass::oid, p.oid, nspname = $2
  FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
  WHERE nspname IN ($1, $2)),
-- An object, or with objsubid a column of it. Whose inner part goes, goes itself: a view is known by the rule that reads.
gone AS (
  SELECT classid, objid, 0 AS objsubid
  FROM inside
  UNION
  SELECT next.*
  FROM gone g CROSS JOIN LATERAL (
    SELECT d.classid, d.objid, d.objsubid
    FROM pg_depend d
    WHERE d.refclassid = g.classid AND d.refobjid = g.objid AND (g.objsubid = 0 OR d.refobjsubid = g.objsubid)
    UNION ALL
    SELECT d.refclassid, d.refobjid, d.refobjsubid
    FROM pg_depend d
    WHERE d.classid = g.classid AND d.objid = g.objid AND d.objsubid = g.objsubid AND d.deptype = 'i') next),
foreign_part AS (
  SELECT g.*
  FROM gone g LEFT JOIN inside i USING (classid, objid)
  WHERE i.is_own IS DISTINCT FROM true)
SELECT CASE WHEN nspname = 'cacheledger' AND relname LIKE 'all\_%' THEN 'the views cacheledger.all_...' ELSE format('the %s %I.%I', CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' ELSE 'table' END,
  nspname, relname) END AS object
FROM foreign_part JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid JOIN pg_namespace n ON n.oid = relnamespace
WHERE objsubid = 0 AND relkind IN ('r', 'v', 'm', 'p', 'f', 'S')
UNION
-- What is no part of something that goes: a column, a constraint, a rule, a policy, a default.
SELECT 'the ' || pg_describe_object(classid, objid, objsubid)
FROM foreign_part p LEFT JOIN pg_class c ON classid = 'pg_class'::regclass AND c.oid = objid
WHERE classid <> 'pg_proc'::regclass AND (c.oid IS NULL OR objsubid > 0 OR relkind NOT IN ('r', 'v', 'm', 'p', 'f', 'S'))
  AND NOT EXISTS (
    SELECT FROM gone g
    WHERE objsubid > 0 AND g.classid = p.classid AND g.objid = p.objid AND g.objsubid = 0)
  AND NOT EXISTS (
    SELECT FROM pg_depend d JOIN gone g ON g.classid = d.refclassid AND g.objid = d.refobjid AND g.objsubid IN (0, d.refobjsubid)
    WHERE d.classid = p.classid AND d.objid = p.objid AND d.deptype IN ('a', 'i'))
UNION
SELECT 'the function ' || objid::regprocedure
FROM foreign_part
WHERE classid = 'pg_proc'::regclass
UNION
SELECT 'the publication ' || quote_ident(pubname)
FROM pg_publication
WHERE oid IN (
  SELECT prpubid FROM pg_publication_rel WHERE prrelid IN (SELECT objid FROM inside WHERE classid = 'pg_class'::regclass)
  UNION
  SELECT pnpubid FROM pg_publication_namespace WHERE pnnspid::regnamespace::text IN (quote_ident($1), quote_ident($2)))
ORDER BY object
