-- The order of targets.
SELECT target, runs, family FROM target_order;
