-- Deletes what is left of specs that were deleted, because they are in no snapshot and none needs them that is in one.
DELETE FROM node WHERE spec_id NOT IN (SELECT spec_id FROM spec);
DELETE FROM dependency WHERE spec_id NOT IN (SELECT spec_id FROM node);
DELETE FROM spec_build_hash WHERE spec_id NOT IN (SELECT spec_id FROM spec);
