-- The text of a compiler, which is its key, is its name and version.
SELECT 'compiler: ' || spec || ' has the name and version of ' || name || ifnull('@' || version, '') AS problem
FROM compiler
WHERE spec <> name || ifnull('@' || version, '');
