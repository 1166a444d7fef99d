-- What a history is about, in the series :series_id: the builds :specs (a JSON array of spec_ids; NULL: all), while they are in
-- stacks that match :stack (NULL: everywhere).
--
-- history_presence has their rows of `presence`. If :package_id names a package, it has the rows of all builds of that package,
-- which causes of drift are found among. With :stack, `came` and `went` are about the stacks: a build that joins them came, and
-- one that leaves them went.
DROP TABLE IF EXISTS temp.history_spec;
DROP TABLE IF EXISTS temp.history_presence;

CREATE TEMP TABLE history_spec AS
SELECT x.spec_id, x.hash, x.look_id
FROM json_each(:specs) j
CROSS JOIN spec x ON x.spec_id = j.value;

CREATE UNIQUE INDEX temp.history_spec_key ON history_spec (spec_id);

CREATE TEMP TABLE history_presence AS
WITH
chosen AS MATERIALIZED (
  SELECT DISTINCT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)),
asked AS NOT MATERIALIZED (
  SELECT *
  FROM main.presence
  WHERE series_id = :series_id
    AND package_id = :package_id
  UNION ALL
  SELECT p.*
  FROM temp.history_spec h
  CROSS JOIN look l ON l.look_id = h.look_id
  CROSS JOIN main.presence p
    ON p.series_id = :series_id
   AND p.package_id = l.package_id
   AND p.look_id = h.look_id
   AND p.spec_id = h.spec_id
  WHERE :package_id IS NULL
  UNION ALL
  SELECT *
  FROM main.presence
  WHERE series_id = :series_id
    AND :package_id IS NULL
    AND :specs IS NULL)
SELECT
  a.series_id, a.package_id, a.look_id, a.spec_id, a.valid_from, a.valid_to, a.stack_set_id,
  CASE WHEN a.came = 1 OR :stack IS NULL THEN a.came ELSE NOT EXISTS (
    SELECT 1
    FROM main.presence b
    WHERE b.series_id = a.series_id AND b.package_id = a.package_id AND b.look_id = a.look_id AND b.spec_id = a.spec_id
      AND b.valid_to = a.valid_from AND b.stack_set_id IN (SELECT stack_set_id FROM chosen)) END AS came,
  CASE WHEN a.went = 1 OR a.valid_to IS NULL OR :stack IS NULL THEN a.went ELSE NOT EXISTS (
    SELECT 1
    FROM main.presence b
    WHERE b.series_id = a.series_id AND b.package_id = a.package_id AND b.look_id = a.look_id AND b.spec_id = a.spec_id
      AND b.valid_from = a.valid_to AND b.stack_set_id IN (SELECT stack_set_id FROM chosen)) END AS went
FROM asked a
WHERE :stack IS NULL
   OR a.stack_set_id IN (SELECT stack_set_id FROM chosen);

CREATE INDEX temp.history_presence_from ON history_presence (valid_from);
