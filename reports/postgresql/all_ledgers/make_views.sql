-- The function that makes the views over all ledgers of a database: cacheledger.all_snapshots, all_specs, and so on. It runs as the
-- role that made it, to which the views belong. It knows no view by name: it takes
-- what each ledger offers in the schema "NAME tables" as of_all_..., whichever program published it. Foreign tables of these names stand
-- for a ledger of another server.
--
-- Who asks a view runs the functions in its parts. So a part is taken only of a role that is trusted by name: this one, superusers, and
-- those that may EXECUTE this function, which PUBLIC may not. A table is no exception: its owner can make a view of it later.
--
-- `left_out`: a ledger that the views are to do without, because it is about to be dropped or changed. True: something was made.
--
-- A column stays where it is for as long as the view exists; those that some ledger has besides come behind it. A ledger that lacks
-- a column gives NULL. Nothing is dropped but a view that no ledger offers any more, and that only if nobody else's view uses it.
CREATE OR REPLACE FUNCTION cacheledger.make_views_of_all_ledgers(left_out text DEFAULT '') RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
-- version 2
DECLARE
  program    CONSTANT integer := 1129079906;  -- PRAGMA application_id of every ledger: the locks are this program's
  comment    CONSTANT text := 'Makes the views over all ledgers of the database. Digests of what it made: %s %s';
  statements text;
  known      text;
  made       text;
BEGIN
  FOR attempt IN 1..2 LOOP
    WITH trusted AS (
      SELECT oid AS role FROM pg_roles WHERE rolsuper OR rolname = current_user
      UNION
      SELECT grantee
      FROM pg_proc, aclexplode(proacl)
      WHERE pg_proc.oid = 'cacheledger.make_views_of_all_ledgers(text)'::regprocedure AND privilege_type = 'EXECUTE'),
    -- A part for each ledger and view: what the view of the ledger has.
    offered AS (
      SELECT v.oid AS part_id, substr(v.relname, 8) AS view, left(n.nspname, -7) AS ledger, format('%I.%I', n.nspname, v.relname) AS source
      FROM pg_class v JOIN pg_namespace n ON n.oid = v.relnamespace
      WHERE v.relkind IN ('v', 'f') AND v.relowner IN (SELECT role FROM trusted) AND v.relname LIKE 'of\_all\_%' AND n.nspname LIKE '% tables' AND left(n.nspname, -7) <> left_out
        AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(v.oid, 'SELECT')),
    -- A ledger that an older program published offers nothing. Its views themselves are asked, if the role may read them.
    older AS (
      SELECT v.oid, v.relname, n.nspname, format(
        '(SELECT * FROM %1$I.%2$I WHERE has_schema_privilege(%3$L::regnamespace, ''USAGE'') AND has_table_privilege(%4$L::regclass, ''SELECT''))',
        n.nspname, v.relname, format('%I', n.nspname), format('%I.%I', n.nspname, v.relname))
      FROM pg_class v JOIN pg_namespace n ON n.oid = v.relnamespace
      WHERE v.relkind = 'v' AND v.relowner IN (SELECT role FROM trusted) AND v.relname IN (SELECT view FROM offered) AND n.nspname NOT IN (SELECT ledger FROM offered)
        AND n.nspname <> left_out AND EXISTS (
          SELECT FROM pg_class p JOIN pg_namespace t ON t.oid = p.relnamespace WHERE t.nspname = n.nspname || ' tables' AND p.relname = 'published')
        AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(v.oid, 'SELECT')),
    part AS (
      SELECT * FROM offered
      UNION ALL
      SELECT * FROM older),
    made AS (
      SELECT v.oid AS made_id, substr(v.relname, 5) AS view
      FROM pg_class v
      WHERE v.relkind = 'v' AND v.relname LIKE 'all\_%' AND v.relnamespace = 'cacheledger'::regnamespace),
    -- Every column that the view over all ledgers has or gets, in its order.
    found AS (
      SELECT view, attname, 0 AS is_new, attnum AS place, format_type(atttypid, atttypmod) AS type, attcollation
      FROM made JOIN pg_attribute ON attrelid = made_id
      WHERE attnum > 1
      UNION ALL
      SELECT view, attname, 1, attnum, format_type(atttypid, atttypmod), attcollation
      FROM part JOIN pg_attribute ON attrelid = part_id
      WHERE attnum > 0),
    wanted AS (
      SELECT DISTINCT ON (view, attname) view, attname, is_new, place, type || CASE WHEN attcollation = 'pg_catalog."C"'::regcollation
        THEN ' COLLATE pg_catalog."C"' ELSE '' END AS type
      FROM found
      ORDER BY view, attname, is_new, place),
    branch AS (
      SELECT p.view, p.ledger, format(
        E'SELECT %L::text COLLATE pg_catalog."C" AS ledger, %s FROM %s t',
        p.ledger,
        string_agg(CASE WHEN a.attnum IS NULL THEN format('NULL::%s AS %I', w.type, w.attname)
          WHEN split_part(w.type, ' COLLATE', 1) <> format_type(a.atttypid, a.atttypmod) THEN format('t.%1$I::%2$s AS %1$I', w.attname, w.type)
          ELSE format('t.%I', w.attname) END, ', ' ORDER BY w.is_new, w.place, w.attname),
        p.source) AS statement
      FROM part p
      JOIN wanted w USING (view)
      LEFT JOIN pg_attribute a ON a.attrelid = p.part_id AND a.attname = w.attname AND a.attnum > 0 AND NOT a.attisdropped
      GROUP BY p.view, p.ledger, p.source),
    statement AS (
      SELECT view, format(
        E'CREATE OR REPLACE VIEW cacheledger.%1$I AS\n%2$s;\nGRANT SELECT ON cacheledger.%1$I TO PUBLIC;\nCOMMENT ON VIEW cacheledger.%1$I IS %3$L;\n',
        'all_' || view,
        string_agg(b.statement, E'\nUNION ALL\n' ORDER BY ledger COLLATE "C"),
        format('The view %s of all ledgers: %s', view, string_agg(ledger, ', ' ORDER BY ledger COLLATE "C"))) AS text
      FROM branch b
      GROUP BY view
      UNION ALL
      SELECT view, format(E'DROP VIEW cacheledger.%I;\n', 'all_' || view)
      FROM made
      WHERE view NOT IN (SELECT view FROM part))
    SELECT coalesce(string_agg(text, '' ORDER BY view), '') INTO statements
    FROM statement;

    -- An older program makes such views, too. Then one of them is no more what this made.
    known := obj_description('cacheledger.make_views_of_all_ledgers(text)'::regprocedure, 'pg_proc');
    SELECT string_agg(pg_get_viewdef(oid), '' ORDER BY relname) INTO made
    FROM pg_class
    WHERE relkind = 'v' AND relname LIKE 'all\_%' AND relnamespace = 'cacheledger'::regnamespace;
    IF known = format(comment, md5(statements), md5(made)) THEN
      RETURN false;
    END IF;
    -- Others may be making them, and are looked at again.
    PERFORM pg_advisory_xact_lock(program, 0);
  END LOOP;
  EXECUTE statements;
  SELECT string_agg(pg_get_viewdef(oid), '' ORDER BY relname) INTO made
  FROM pg_class
  WHERE relkind = 'v' AND relname LIKE 'all\_%' AND relnamespace = 'cacheledger'::regnamespace;
  EXECUTE format('COMMENT ON FUNCTION cacheledger.make_views_of_all_ledgers(text) IS %L',
    format(comment, md5(statements), md5(made)));
  RETURN true;
END
$$;
REVOKE EXECUTE ON FUNCTION cacheledger.make_views_of_all_ledgers(text) FROM PUBLIC;
