-- The time in which lists wanted something of a stack; `until` is NULL while one does.
SELECT
  min(valid_from) AS since,
  CASE WHEN count(*) = count(valid_to) THEN max(valid_to) END AS until
FROM wishes
WHERE stack = :stack
HAVING count(*) > 0;
