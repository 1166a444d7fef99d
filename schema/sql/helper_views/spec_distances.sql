-- How far one spec is from another of the same package: the one definition of "nearest" for SQL, and the same as that of
-- schema/specs/matching/difference.hpp. Each column is 0 or 1, but `target` is how many more targets the wanted one runs than
-- the other, which it runs too, and 10000 where it does not run the other, or nobody knows; `variants` counts them. What no source said of one of the two matches everything. The nearest of some specs is the first in
-- this order:
--
--   ORDER BY d.family, d.system, d.target, d.version, d.variants, d.compiler, d.flags_or_patches, d.recipe, d.hash
--
-- Ask for a pair of ids, or join the view on both.
-- A view of pairs: without WHERE it compares each two specs of a package. To count its rows, as some tools do with every
-- view, took 9 seconds with 19 specs of each of 500 packages. `backup --plain` leaves it out.
CREATE VIEW spec_distances AS
SELECT
  w.spec_id                                                    AS wanted_id,
  h.spec_id,
  h.hash,
  CASE WHEN wl.arch_id = hl.arch_id THEN 0
       WHEN (wa.target, ha.target) IN (SELECT target, other FROM foreign_targets) THEN 1
       ELSE 0 END                                              AS family,
  CASE WHEN wl.arch_id = hl.arch_id THEN 0
       WHEN wa.platform <> ha.platform OR wa.os <> ha.os THEN 1
       ELSE 0 END                                              AS system,
  CASE WHEN wl.arch_id = hl.arch_id THEN 0
       WHEN wa.target <> ha.target THEN
         coalesce(o.steps, 10000)
       ELSE 0 END                                              AS target,
  CASE WHEN wl.version_id <> hl.version_id THEN 1 ELSE 0 END   AS version,
  -- Two sets of variants differ in the values that only one of them has. `patches` counts below. Old pages and nodes do not
  -- have `build_system`: it counts only if both sets have it.
  CASE WHEN wl.variant_set_id <> hl.variant_set_id THEN (
    SELECT count(DISTINCT v.name)
    FROM (
      SELECT m.variant_id
      FROM variant_set_member m
      WHERE m.variant_set_id IN (wl.variant_set_id, hl.variant_set_id)
      GROUP BY m.variant_id
      HAVING count(*) = 1) c
    JOIN variant v ON v.variant_id = c.variant_id
    WHERE v.name <> 'patches'
      AND (v.name <> 'build_system' OR 2 = (
        SELECT count(DISTINCT m.variant_set_id)
        FROM variant_set_member m
        JOIN variant b ON b.variant_id = m.variant_id
        WHERE m.variant_set_id IN (wl.variant_set_id, hl.variant_set_id)
          AND b.name = 'build_system')))
  ELSE 0 END                                                   AS variants,
  CASE WHEN wl.compiler_id <> hl.compiler_id THEN 1 ELSE 0 END AS compiler,
  CASE WHEN wr.flags <> hr.flags
    OR coalesce(wr.patches, CASE WHEN wl.variant_set_id IS NOT NULL THEN coalesce((
        SELECT group_concat(p.value, ' ')
        FROM (
          SELECT v.value
          FROM variant_set_member m
          JOIN variant v ON v.variant_id = m.variant_id
          WHERE m.variant_set_id = wl.variant_set_id AND v.name = 'patches'
          ORDER BY v.value) p), '') END)
      <> coalesce(hr.patches, CASE WHEN hl.variant_set_id IS NOT NULL THEN coalesce((
        SELECT group_concat(p.value, ' ')
        FROM (
          SELECT v.value
          FROM variant_set_member m
          JOIN variant v ON v.variant_id = m.variant_id
          WHERE m.variant_set_id = hl.variant_set_id AND v.name = 'patches'
          ORDER BY v.value) p), '') END)
    THEN 1 ELSE 0 END                                          AS flags_or_patches,
  CASE WHEN wr.package_hash <> hr.package_hash THEN 1 ELSE 0 END AS recipe
FROM spec w
JOIN look wl ON wl.look_id = w.look_id
JOIN look hl ON hl.package_id = wl.package_id
JOIN spec h ON h.look_id = hl.look_id
LEFT JOIN arch wa ON wa.arch_id = wl.arch_id
LEFT JOIN arch ha ON ha.arch_id = hl.arch_id
LEFT JOIN target_order o ON o.target = wa.target AND o.runs = ha.target
LEFT JOIN node wn ON wn.spec_id = w.spec_id
LEFT JOIN node hn ON hn.spec_id = h.spec_id
LEFT JOIN recipe wr ON wr.recipe_id = wn.recipe_id
LEFT JOIN recipe hr ON hr.recipe_id = hn.recipe_id;
