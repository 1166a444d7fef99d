-- The times of the lists of the stack :stack: when the first was there, and when the last one ended, which is NULL if it did not.
SELECT
  min(p.valid_from)                                                            AS first,
  CASE WHEN count(*) = count(p.valid_to) THEN max(p.valid_to) END              AS last
FROM wish_list l
JOIN wish_presence p USING (wish_list_id)
WHERE l.stack = :stack
