-- Pairs of looks that differ only in the compiler, when a look without compiler (none_id) also exists, in ids. none_id can
-- be one of the two. If a snapshot has none_id, these looks are one look group (stack_drift.sql). For reports.
-- A view of pairs, which is fast. `backup --plain` leaves it out.
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
