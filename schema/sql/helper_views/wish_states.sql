-- One row for each wish of each stack in each snapshot: the wishes that the stack's list had at the moment of the snapshot, and
-- whether the snapshot has a build in that stack that meets them. For reports; ask for one snapshot (by snapshot_id or snapshot).
--
--   met           2: a build surely meets the wish; 1: as far as known, no source says enough; 0: none does. A snapshot without
--                 the stack has 0: whether the stack was renamed is not known
--   is_preferred  1 if a build that surely meets it is as the list prefers, too
--
-- Of one snapshot, a wish has few builds that meet it in any time. For each of them the key of presence tells whether it is there.
CREATE VIEW wish_states AS
SELECT
  snapshot_id, snapshot, wish_list_id, stack, path, spec_group, wish_id, package, spec, conditions,
  coalesce(answer, 0) / 2                 AS met,
  CASE WHEN answer = 5 THEN 1 ELSE 0 END AS is_preferred
FROM (
  SELECT
    s.snapshot_id,
    s.name AS snapshot,
    l.wish_list_id,
    l.stack,
    l.path,
    p.spec_group,
    w.wish_id,
    w.package,
    w.spec,
    w.conditions,
    (SELECT max(a.is_sure * 2 + 2 + a.is_sure * a.is_preferred)
     FROM wish_spec a
     JOIN spec x USING (spec_id)
     JOIN look k USING (look_id)
     JOIN presence h
       ON h.series_id = s.series_id
      AND h.package_id = k.package_id
      AND h.look_id = x.look_id
      AND h.spec_id = x.spec_id
      AND h.valid_from <= s.taken_at
      AND (h.valid_to IS NULL OR h.valid_to > s.taken_at)
     JOIN stack_set_member m ON m.stack_set_id = h.stack_set_id
     JOIN stack t ON t.stack_id = m.stack_id AND t.name = l.stack
     WHERE a.wish_id = w.wish_id) AS answer
  FROM snapshot s
  JOIN wish_presence p
    ON p.valid_from <= s.taken_at
   AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  JOIN wish_list l USING (wish_list_id)
  JOIN wish w USING (wish_id)) r;
