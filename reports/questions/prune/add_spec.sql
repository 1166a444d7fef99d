-- Adds one spec: its id, last_seen, listed, stack_set_id, kept, needed.
INSERT INTO temp.pruned_spec
SELECT x.spec_id, l.package_id, l.version_id, z.bytes, ?2, ?3, ?4, ?5, ?6
FROM spec x
JOIN look l USING (look_id)
JOIN spec_sizes z USING (spec_id)
WHERE x.spec_id = ?1;
