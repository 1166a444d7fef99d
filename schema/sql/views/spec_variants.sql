-- One row for each variant value of each spec. A boolean variant has the value 'true' or 'false'. A multi-valued
-- variant has a row for each value. A variant without a value has '*'.
CREATE VIEW spec_variants AS
SELECT
  x.hash,
  k.name  AS package,
  v.name,  -- the option: shared, cuda_arch
  v.value  -- true, false, or one of its values
FROM spec x
JOIN look l ON l.look_id = x.look_id
JOIN package k ON k.package_id = l.package_id
JOIN variant_set_member m ON m.variant_set_id = l.variant_set_id
JOIN variant v ON v.variant_id = m.variant_id;
