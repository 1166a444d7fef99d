-- What the cache has before and after, in numbers.
SELECT 'specs' AS what, count(*) AS before, count(*) FILTER (WHERE kept) AS after, count(*) FILTER (WHERE NOT kept) AS lost
FROM temp.pruned_spec
UNION ALL
SELECT 'specs listed', count(*), count(*) FILTER (WHERE kept), count(*) FILTER (WHERE NOT kept) FROM temp.pruned_spec WHERE listed
UNION ALL
SELECT 'packages', count(*), count(*) FILTER (WHERE after), count(*) FILTER (WHERE NOT after)
FROM (SELECT max(kept) AS after FROM temp.pruned_spec GROUP BY package_id)
UNION ALL
SELECT 'versions', count(*), count(*) FILTER (WHERE after), count(*) FILTER (WHERE NOT after)
FROM (SELECT max(kept) AS after FROM temp.pruned_spec WHERE version_id IS NOT NULL GROUP BY package_id, version_id)
UNION ALL
SELECT 'bytes', sum(bytes), CASE WHEN count(bytes) > 0 THEN coalesce(sum(bytes) FILTER (WHERE kept), 0) END,
  CASE WHEN count(bytes) > 0 THEN coalesce(sum(bytes) FILTER (WHERE NOT kept), 0) END
FROM temp.pruned_spec
UNION ALL
SELECT 'specs of unknown size', count(*), count(*) FILTER (WHERE kept), count(*) FILTER (WHERE NOT kept)
FROM temp.pruned_spec WHERE bytes IS NULL;
