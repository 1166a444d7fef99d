-- The functions of SQLite that the canned SQL uses and that PostgreSQL lacks, made to answer as SQLite does. Each published ledger
-- has its own, in its schema "NAME tables", which stands here in the place of `cacheledger`: so programs of several versions can
-- publish into one database. The script can be run again: then it changes nothing.
-- A character as a regular expression that matches only it.
CREATE OR REPLACE FUNCTION cacheledger.itself(letter text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$SELECT CASE WHEN letter ~ '[!-/:-@[-`{-~]' COLLATE "C" THEN '\' || letter ELSE letter END$$;

-- The regular expression that matches what the pattern of GLOB matches: '*', '?', '[a-z]', '[^a-z]'. As in SQLite, ']' is itself
-- at the begin of a set, and a set without its end matches nothing.
CREATE OR REPLACE FUNCTION cacheledger.glob_expression(pattern text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
  expression text := '^';
  members    text;
  earlier    text;
  letter  text;
  place      integer := 1;
BEGIN
  WHILE place <= length(pattern) LOOP
    letter := substr(pattern, place, 1);
    place := place + 1;
    IF letter = '*' THEN
      expression := expression || '.*';
    ELSIF letter = '?' THEN
      expression := expression || '.';
    ELSIF letter <> '[' THEN
      expression := expression || cacheledger.itself(letter);
    ELSE
      members := '[';
      IF substr(pattern, place, 1) = '^' THEN
        members := '[^';
        place := place + 1;
      END IF;
      earlier := NULL;
      IF substr(pattern, place, 1) = ']' THEN
        members := members || '\]';
        place := place + 1;
      END IF;
      LOOP
        letter := substr(pattern, place, 1);
        place := place + 1;
        IF letter = '' THEN
          RETURN '^\A\Z.';  -- nothing matches
        END IF;
        EXIT WHEN letter = ']';
        IF letter = '-' AND earlier IS NOT NULL AND substr(pattern, place, 1) NOT IN (']', '') THEN
          letter := substr(pattern, place, 1);
          place := place + 1;
          IF ascii(earlier) <= ascii(letter) THEN
            members := members || cacheledger.itself(earlier) || '-' || cacheledger.itself(letter);
          END IF;
          earlier := NULL;
        ELSE
          members := members || cacheledger.itself(letter);
          earlier := letter;
        END IF;
      END LOOP;
      expression := expression || members || ']';
    END IF;
  END LOOP;
  RETURN expression || '$';
END
$$;

CREATE OR REPLACE FUNCTION cacheledger.glob(pattern text, value text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$SELECT value ~ cacheledger.glob_expression(pattern) COLLATE "C"$$;

-- Only for the moments of a ledger: format is '%Y-%m-%dT%H:%M:%SZ', modifier 'unixepoch'.
CREATE OR REPLACE FUNCTION cacheledger.strftime(format text, moment bigint, modifier text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$SELECT to_char(to_timestamp(moment) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') COLLATE "C"$$;

CREATE OR REPLACE FUNCTION cacheledger.instr(value text, part text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$SELECT strpos(value, part)$$;

CREATE OR REPLACE FUNCTION cacheledger.hex(value bytea) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$SELECT upper(encode(value, 'hex')) COLLATE "C"$$;

-- The smaller and the greater of two numbers; NULL if one is NULL.
CREATE OR REPLACE FUNCTION cacheledger.min(a bigint, b bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$SELECT CASE WHEN a <= b THEN a WHEN b < a THEN b END$$;

CREATE OR REPLACE FUNCTION cacheledger.max(a bigint, b bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$SELECT CASE WHEN a >= b THEN a WHEN b > a THEN b END$$;

CREATE OR REPLACE FUNCTION cacheledger.ifnull(value anyelement, instead anyelement) RETURNS anyelement
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$SELECT coalesce(value, instead)$$;

-- sum() of a statement is this one: PostgreSQL's own makes a numeric of the sum of bigint.
CREATE OR REPLACE AGGREGATE cacheledger.sum_of(value bigint) (
  SFUNC = int8pl, STYPE = bigint, COMBINEFUNC = int8pl, PARALLEL = SAFE);

CREATE OR REPLACE AGGREGATE cacheledger.sum_of(value smallint) (
  SFUNC = int2_sum, STYPE = bigint, COMBINEFUNC = int8pl, PARALLEL = SAFE);

CREATE OR REPLACE AGGREGATE cacheledger.sum_of(value integer) (
  SFUNC = int4_sum, STYPE = bigint, COMBINEFUNC = int8pl, PARALLEL = SAFE);

CREATE OR REPLACE AGGREGATE cacheledger.sum_of(value double precision) (
  SFUNC = float8pl, STYPE = double precision, COMBINEFUNC = float8pl, PARALLEL = SAFE);

CREATE OR REPLACE FUNCTION cacheledger.round(value double precision, digits integer) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$SELECT pg_catalog.round(value::numeric, digits)::double precision$$;

-- The members of a JSON object of integers, {"5": 7}, or of an array [5, 7].
CREATE OR REPLACE FUNCTION cacheledger.json_each(value text) RETURNS TABLE (key text, value bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 10
AS $$
  SELECT m.key, m.value::bigint FROM json_each_text(CASE WHEN $1 LIKE '{%' THEN $1 ELSE '{}' END::json) m
  UNION ALL
  SELECT (m.number - 1)::text, m.value::bigint
  FROM json_array_elements_text(CASE WHEN $1 LIKE '[%' THEN $1 ELSE '[]' END::json) WITH ORDINALITY m (value, number)
$$;

-- Always true. A query that has it is not compiled (jit), which takes seconds for the views of drift, and longer than they do. It is
-- called when the query is planned, because it is said to be immutable; the setting ends with the transaction.
CREATE OR REPLACE FUNCTION cacheledger.without_jit() RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$SELECT pg_catalog.set_config('jit', 'off', true) = 'off'$$;
