-- The commits that touched the recipe of a package, the newest first.
SELECT committed_at, commit_id, namespace, subject
FROM recipe_commits
WHERE package = :package
ORDER BY committed_at DESC, commit_id;
