-- The kept specs that need lost ones to link or to run: `lost` is the first by name of those that a spec needs itself (direct is 1),
-- else of those that only others need.
SELECT
  k.name         AS package,
  v.version,
  x.hash,
  g.named_stacks AS stacks,
  ok.name        AS lost,
  o.hash         AS lost_hash,
  b.direct
FROM temp.broken_spec b
CROSS JOIN temp.pruned_spec p ON p.spec_id = b.spec_id
CROSS JOIN spec x ON x.spec_id = b.spec_id
CROSS JOIN package k ON k.package_id = p.package_id
LEFT JOIN version v ON v.version_id = p.version_id
LEFT JOIN stack_set g ON g.stack_set_id = p.stack_set_id
CROSS JOIN spec o ON o.spec_id = b.lost_id
CROSS JOIN look ol ON ol.look_id = o.look_id
CROSS JOIN package ok ON ok.package_id = ol.package_id
ORDER BY b.direct DESC, k.name, v.sort_key, x.hash;
