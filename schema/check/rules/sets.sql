-- The texts of a stack set, which are its keys, follow from its members. (schema/check/derived_texts.cpp checks the
-- texts of variant sets.)
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
WHERE named_stacks <> named_members;
