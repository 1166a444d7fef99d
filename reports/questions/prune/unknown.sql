-- The number of kept specs of which no source says what they need.
SELECT count(*) FROM temp.pruned_spec p WHERE p.kept AND NOT EXISTS (SELECT 1 FROM node n WHERE n.spec_id = p.spec_id);
