-- For each reason, by its smallest hash: a number of the set of builds that it explains. :from, :to, :package and :stack are as in
-- the report drift/why.
SELECT hash, same_as
FROM spec_reasons
WHERE from_snapshot = :from
  AND to_snapshot = :to
  AND stack IS :stack
  AND asked_packages = :package
  AND same_as IS NOT NULL;
