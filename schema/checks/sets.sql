-- The text of a set, by which it is found again, says what its members are.
SELECT 'stack_set: "' || s.stacks || '" has other members than it says' AS problem
FROM stack_set s
WHERE s.stacks <> ifnull((
    SELECT group_concat(name, ',')
    FROM (SELECT t.name FROM stack_set_member m JOIN stack t USING (stack_id)
          WHERE m.stack_set_id = s.stack_set_id ORDER BY t.name)), '')
UNION ALL
SELECT 'stack_set: "' || s.stacks || '" has other named stacks than it says'
FROM stack_set s
WHERE s.named_stacks <> ifnull((
    SELECT group_concat(name, ',')
    FROM (SELECT t.name FROM stack_set_member m JOIN stack t USING (stack_id)
          WHERE m.stack_set_id = s.stack_set_id AND NOT t.is_root ORDER BY t.name)), '')
UNION ALL
SELECT 'variant_set: "' || s.variants || '" has no members'
FROM variant_set s
WHERE s.variants <> ''
  AND NOT EXISTS (SELECT 1 FROM variant_set_member m WHERE m.variant_set_id = s.variant_set_id)
UNION ALL
SELECT 'page_presence: no page is there for ' || k.name || ' in ' || r.name || ', whose specs are'
FROM presence p
JOIN package k ON k.package_id = p.package_id
JOIN series r ON r.series_id = p.series_id
WHERE NOT EXISTS (
  SELECT 1 FROM page_presence g
  WHERE g.series_id = p.series_id AND g.package_id = p.package_id
    AND g.valid_from <= p.valid_from AND (g.valid_to IS NULL OR g.valid_to > p.valid_from));
