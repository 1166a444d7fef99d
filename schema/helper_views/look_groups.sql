-- One row for each two looks that differ in nothing but the compiler where one, or a third like them, has none (none_id), in
-- ids. In a snapshot that has none_id they are one look group (stack_drift).
CREATE VIEW look_groups AS
SELECT n.look_id AS none_id, l.look_id, o.look_id AS other_id
FROM look n
JOIN look l
  ON l.package_id = n.package_id
 AND l.version_id IS n.version_id
 AND l.arch_id IS n.arch_id
 AND l.variant_set_id IS n.variant_set_id
JOIN look o
  ON o.package_id = n.package_id
 AND o.version_id IS n.version_id
 AND o.arch_id IS n.arch_id
 AND o.variant_set_id IS n.variant_set_id
WHERE n.compiler_id IS NULL
  AND o.look_id <> l.look_id;
