-- One row for each package whose recipe a commit of a package repository touched. All files in the folder of the package
-- count. Names of people are not stored.
CREATE VIEW recipe_commits AS
SELECT
  k.namespace,                                  -- of the repository: builtin
  k.name                 AS package,
  CAST(lower(hex(c.commit_id)) AS TEXT) AS commit_id,         -- 40 hex digits
  CAST(strftime('%Y-%m-%dT%H:%M:%SZ', c.committed_at, 'unixepoch') AS TEXT) AS committed_at,  -- the committer's time, in UTC
  c.subject                                     -- the first line of the message, cut: a stranger's text
FROM recipe_package k
JOIN recipe_change x USING (recipe_package_id)
JOIN recipe_commit c USING (recipe_commit_id);
