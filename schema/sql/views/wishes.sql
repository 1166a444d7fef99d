-- One row for each spec that the list of a stack wanted, and the time in which it did: from valid_from, and not at valid_to any
-- more, which is NULL while the list wants it. A list is a spack.yaml of a package repository.
CREATE VIEW wishes AS
SELECT
  l.stack,
  w.spec,                                       -- as Spack reads it from the list: py-keras backend=jax
  w.package,                                    -- NULL: the wish names none
  CAST(strftime('%Y-%m-%dT%H:%M:%SZ', p.valid_from, 'unixepoch') AS TEXT) AS valid_from,  -- the time of the commit, in UTC
  CAST(strftime('%Y-%m-%dT%H:%M:%SZ', p.valid_to, 'unixepoch') AS TEXT)   AS valid_to,    -- the time of the commit that ended it; NULL: none did
  l.path,                                       -- of the list in the repository
  p.spec_group,                                 -- the group of the list that has it; '' for none
  w.conditions                                  -- what the list requires of the package's builds, or prefers: JSON
FROM wish_list l
JOIN wish_presence p USING (wish_list_id)
JOIN wish w USING (wish_id);
