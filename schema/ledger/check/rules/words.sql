-- No name is empty, and that of a stack has no comma. The texts of a stack set, which are its keys, follow from its members.
-- The text of a compiler, which is its key, is its name and version. (schema/ledger/check/derived_texts.cpp checks the texts of
-- variant sets, and what is canonical.)
WITH compared AS (
  SELECT s.stacks, s.named_stacks,
    ifnull((
      SELECT group_concat(name, ',')
      FROM (SELECT t.name FROM stack_set_member m JOIN stack t USING (stack_id)
            WHERE m.stack_set_id = s.stack_set_id ORDER BY t.name)), '') AS members,
    ifnull((
      SELECT group_concat(name, ',')
      FROM (SELECT t.name FROM stack_set_member m JOIN stack t USING (stack_id)
            WHERE m.stack_set_id = s.stack_set_id AND NOT t.is_root ORDER BY t.name)), '') AS named_members
  FROM stack_set s)
SELECT 'stack_set: ''' || stacks || ''' has the members ''' || members || '''' AS problem
FROM compared
WHERE stacks <> members
UNION ALL
SELECT 'stack_set: ''' || stacks || ''' has the named stacks ''' || named_members || ''', not ''' || named_stacks || ''''
FROM compared
WHERE named_stacks <> named_members
UNION ALL
SELECT 'compiler: ' || spec || ' has the name and version of ' || name || ifnull('@' || version, '')
FROM compiler
WHERE spec <> name || ifnull('@' || version, '')
UNION ALL
SELECT 'stack: ''' || name || ''' has a comma, which separates stacks'
FROM stack
WHERE instr(name, ',') > 0
UNION ALL
SELECT part || ' ' || id || ' is empty'
FROM (
  SELECT 'package: the name of' AS part, package_id AS id FROM package WHERE name = ''
  UNION ALL
  SELECT 'version: the text of', version_id FROM version WHERE version = ''
  UNION ALL
  SELECT 'arch: the platform, os or target of', arch_id FROM arch WHERE '' IN (platform, os, target)
  UNION ALL
  SELECT 'compiler: the name or version of', compiler_id FROM compiler WHERE '' IN (name, version)
  UNION ALL
  SELECT 'variant: the name of', variant_id FROM variant WHERE name = ''
  UNION ALL
  SELECT 'stack: the name of', stack_id FROM stack WHERE name = ''
  UNION ALL
  SELECT 'series: the name of', series_id FROM series WHERE name = ''
  UNION ALL
  SELECT 'snapshot: the tag or source of', snapshot_id FROM snapshot WHERE '' IN (tag, source)
  UNION ALL
  SELECT 'page: the tag of', page_id FROM page WHERE tag = ''
  UNION ALL
  SELECT 'finding: the detail of', finding_id FROM finding WHERE detail = ''
  UNION ALL
  SELECT 'recipe: the namespace, package_hash, external_path or external_modules of', recipe_id FROM recipe
  WHERE '' IN (namespace, package_hash, external_path, external_modules));
