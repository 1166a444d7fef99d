-- Which targets never run which others: one row for each two targets of different families.
CREATE VIEW foreign_targets AS
SELECT
  w.target,          -- zen4
  h.target AS other  -- neoverse_v1
FROM target_order w
JOIN target_order h ON h.family <> w.family
WHERE w.runs = w.target AND h.runs = h.target;
