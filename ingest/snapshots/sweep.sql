-- Deletes what no snapshot uses any more, after unreached.sql. Rows that refer to others are deleted before those.
DELETE FROM series WHERE series_id NOT IN (SELECT series_id FROM snapshot);
DELETE FROM page WHERE page_id NOT IN (SELECT page_id FROM page_presence);
DELETE FROM finding WHERE page_id IS NOT NULL AND page_id NOT IN (SELECT page_id FROM page);
DELETE FROM recipe WHERE recipe_id NOT IN (SELECT recipe_id FROM node);
DELETE FROM target_definition
  WHERE target_definition_id NOT IN (SELECT target_definition_id FROM node WHERE target_definition_id IS NOT NULL);
DELETE FROM edge_kind WHERE edge_kind_id NOT IN (SELECT edge_kind_id FROM dependency);
DELETE FROM look WHERE look_id NOT IN (SELECT look_id FROM spec);
DELETE FROM variant_set_member
  WHERE variant_set_id NOT IN (SELECT variant_set_id FROM look WHERE variant_set_id IS NOT NULL);
DELETE FROM variant_set
  WHERE variant_set_id NOT IN (SELECT variant_set_id FROM look WHERE variant_set_id IS NOT NULL);
DELETE FROM variant WHERE variant_id NOT IN (SELECT variant_id FROM variant_set_member);
DELETE FROM stack_set_member
  WHERE stack_set_id NOT IN (SELECT stack_set_id FROM presence WHERE stack_set_id IS NOT NULL);
DELETE FROM stack_set
  WHERE stack_set_id NOT IN (SELECT stack_set_id FROM presence WHERE stack_set_id IS NOT NULL);
DELETE FROM stack WHERE stack_id NOT IN (SELECT stack_id FROM stack_set_member);
DELETE FROM compiler
  WHERE compiler_id NOT IN (SELECT compiler_id FROM look WHERE compiler_id IS NOT NULL);
DELETE FROM arch WHERE arch_id NOT IN (SELECT arch_id FROM look WHERE arch_id IS NOT NULL);
DELETE FROM version WHERE version_id NOT IN (SELECT version_id FROM look WHERE version_id IS NOT NULL);
DELETE FROM package
  WHERE package_id NOT IN (SELECT package_id FROM look)
    AND package_id NOT IN (SELECT package_id FROM page)
    AND package_id NOT IN (SELECT package_id FROM observation_exception)
    AND package_id NOT IN (SELECT package_id FROM finding WHERE package_id IS NOT NULL);
