-- All snapshots, the newest first.
SELECT name, series, taken_at, packages, specs, kind
FROM snapshots
ORDER BY taken_at DESC;
