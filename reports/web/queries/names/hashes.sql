-- The specs whose hash begins so, as far as there is room.
SELECT x.hash, l.package, l.version
FROM spec x
CROSS JOIN looks l USING (look_id)
WHERE x.hash >= :hash AND x.hash < :hash || '{'
ORDER BY x.hash
LIMIT :most;
