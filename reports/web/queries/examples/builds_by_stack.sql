-- How many builds each stack has in the snapshot :at.
SELECT stack, count(*) AS specs
FROM spec_stacks
WHERE snapshot = :at AND stack <> 'root'
GROUP BY stack
ORDER BY specs DESC;
