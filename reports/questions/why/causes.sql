-- Of the added builds with each cause that can need a reason: how many there are, how many have one, and how many have none because
-- their dependencies are not known. Reads the tables that the steps of the reasons make (reports/engine/reasons). :from, :to, :package
-- and :stack are those of the steps.
SELECT
  c.cause,
  count(a.spec_id) AS asked,
  count(x.spec_id) AS explained,
  count(*) FILTER (WHERE x.spec_id IS NULL AND n.spec_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM why_present p WHERE p.spec_id = a.spec_id AND p.in_from)) AS unknown
FROM why_pair q
CROSS JOIN (SELECT 1 AS place, 'rebuilt' AS cause UNION ALL SELECT 2, 'compiler' UNION ALL SELECT 3, 'copies') c
LEFT JOIN why_asked a ON a.is_rebuilt AND a.cause = c.cause
LEFT JOIN why_new n ON n.new_id = a.spec_id
LEFT JOIN why_explained x ON x.spec_id = a.spec_id
WHERE q.from_snapshot = :from
  AND q.to_snapshot = :to
  AND q.stack IS :stack
  AND q.packages = :package
GROUP BY c.place
ORDER BY c.place;
