-- Deletes the specs that are in no snapshot, and that none needs which is in one, and their dependencies.
DELETE FROM spec WHERE spec_id NOT IN (
  WITH RECURSIVE reached (spec_id) AS (
    SELECT spec_id FROM presence
    UNION
    SELECT spec_id FROM root_presence
    UNION
    SELECT d.dependency_id
    FROM reached r
    CROSS JOIN dependency d ON d.spec_id = r.spec_id)
  SELECT spec_id FROM reached);
DELETE FROM node WHERE spec_id NOT IN (SELECT spec_id FROM spec);
DELETE FROM dependency WHERE spec_id NOT IN (SELECT spec_id FROM node);
DELETE FROM spec_build_hash WHERE spec_id NOT IN (SELECT spec_id FROM spec);
