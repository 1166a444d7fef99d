-- Which target runs code for which other: one row for each target and each target whose code it runs, itself included. The targets
-- are those of archspec, the library of Spack, as of 2026-08-19 (cpu/microarchitectures.json, "from"); a name that archspec dropped
-- stands where it was. A target that is not among them, such as a processor of next year, stands above the parents that the inputs
-- give it (table target_parent). One of these may be a name of which nothing else is known: then it may run more than is here. A
-- target that parents put into two families is not here. Nor is any that only inputs know where these give more than 200 pairs,
-- twice what archspec has: the time that this view takes grows with their square. This is the one definition of the order of
-- targets; ranges such as target=:zen4 follow it, too (schema/specs/constraints/target_set.hpp). Of a target that is not here nobody
-- knows what it runs, or of which family it is.
CREATE VIEW target_order AS
WITH RECURSIVE
-- The targets directly below each; NULL: none is.
archspec (target, next) AS (
  VALUES
    ('x86', NULL), ('i686', 'x86'), ('pentium2', 'i686'), ('pentium3', 'pentium2'), ('pentium4', 'pentium3'),
    ('prescott', 'pentium4'), ('x86_64', NULL), ('x86_64_v2', 'x86_64'), ('x86_64_v3', 'x86_64_v2'),
    ('x86_64_v4', 'x86_64_v3'), ('nocona', 'x86_64'), ('core2', 'nocona'), ('nehalem', 'core2'),
    ('nehalem', 'x86_64_v2'), ('westmere', 'nehalem'), ('sandybridge', 'westmere'),
    ('ivybridge', 'sandybridge'), ('haswell', 'ivybridge'), ('haswell', 'x86_64_v3'), ('broadwell', 'haswell'),
    ('skylake', 'broadwell'), ('mic_knl', 'broadwell'), ('skylake_avx512', 'skylake'),
    ('skylake_avx512', 'x86_64_v4'), ('cannonlake', 'skylake'), ('cannonlake', 'x86_64_v4'),
    ('alderlake', 'skylake'), ('arrowlake', 'alderlake'), ('arrowlake_s', 'arrowlake'), ('cascadelake', 'skylake_avx512'),
    ('icelake', 'cascadelake'), ('icelake', 'cannonlake'), ('sapphirerapids', 'icelake'), ('k10', 'x86_64'),
    ('bulldozer', 'x86_64_v2'), ('piledriver', 'bulldozer'), ('steamroller', 'piledriver'),
    ('excavator', 'steamroller'), ('excavator', 'x86_64_v3'), ('zen', 'x86_64_v3'), ('zen2', 'zen'),
    ('zen3', 'zen2'), ('zen4', 'zen3'), ('zen4', 'x86_64_v4'), ('zen5', 'zen4'), ('ppc64', NULL),
    ('power7', 'ppc64'), ('power8', 'power7'), ('power9', 'power8'), ('power10', 'power9'), ('ppc64le', NULL),
    ('power8le', 'ppc64le'), ('power9le', 'power8le'), ('power10le', 'power9le'), ('aarch64', NULL),
    ('armv8.1a', 'aarch64'), ('armv8.2a', 'armv8.1a'), ('armv8.3a', 'armv8.2a'), ('armv8.4a', 'armv8.3a'),
    ('armv8.5a', 'armv8.4a'), ('armv8.6a', 'armv8.5a'), ('armv9.0a', 'armv8.5a'), ('armv9.2a', 'armv9.0a'),
    ('armv9.2a', 'armv8.6a'), ('thunderx2', 'armv8.1a'),
    ('a64fx', 'armv8.2a'), ('graviton', 'aarch64'), ('graviton2', 'graviton'), ('graviton3', 'graviton2'), ('cortex_a72', 'aarch64'),
    ('neoverse_n1', 'cortex_a72'), ('neoverse_n1', 'armv8.2a'), ('neoverse_v1', 'neoverse_n1'),
    ('neoverse_v1', 'armv8.4a'), ('neoverse_v2', 'neoverse_n1'), ('neoverse_v2', 'armv9.0a'),
    ('neoverse_n2', 'neoverse_n1'), ('neoverse_n2', 'armv9.0a'), ('neoverse_v3ae', 'neoverse_v2'),
    ('neoverse_v3ae', 'armv9.2a'), ('ampere1', 'neoverse_n1'), ('ampere1', 'armv8.6a'), ('ampere1a', 'ampere1'), ('m1', 'armv8.4a'), ('m2', 'm1'),
    ('m2', 'armv8.5a'), ('m3', 'm2'), ('m3', 'armv8.6a'), ('m4', 'm3'), ('m4', 'armv8.6a'), ('arm', NULL),
    ('ppc', NULL), ('ppcle', NULL), ('sparc', NULL), ('sparc64', NULL), ('riscv64', NULL), ('u74mc', 'riscv64'), ('x60', 'riscv64')),
below (target, next) AS (
  SELECT target, next FROM archspec
  UNION ALL
  SELECT p.target, nullif(p.parent, '')
  FROM target_parent p
  WHERE p.target NOT IN (SELECT target FROM archspec)
    AND (p.parent <> '' OR NOT EXISTS (SELECT 1 FROM target_parent o WHERE o.target = p.target AND o.parent <> ''))
    AND 200 >= (SELECT count(*) FROM target_parent WHERE target NOT IN (SELECT target FROM archspec))),
falling (target, runs) AS (
  SELECT target, target FROM below
  UNION
  SELECT f.target, b.next FROM falling f JOIN below b ON b.target = f.runs WHERE b.next IS NOT NULL),
-- With the targets of which it runs nothing else, families; and how many it runs. Each name here is copied where it is used, and
-- SQLite 3.54 refuses a query of 1,000 tables: so one step does it all.
counted (target, runs, family, families, targets) AS (
  SELECT
    target, runs,
    min(CASE WHEN is_family THEN runs END) OVER (PARTITION BY target),
    count(CASE WHEN is_family THEN 1 END) OVER (PARTITION BY target),
    count(*) OVER (PARTITION BY target)
  FROM (SELECT target, runs, runs IN (SELECT target FROM below WHERE next IS NULL) AS is_family FROM falling) f)
SELECT
  f.target,                        -- the name of a target: zen4
  f.runs,                          -- a target whose code it runs: x86_64_v3
  f.family,                        -- the target that all targets of the family run: x86_64
  f.targets - coalesce(o.targets, 1) AS steps  -- how many more targets it runs than that one: 0 for itself
FROM counted f
LEFT JOIN (SELECT target, count(*) AS targets FROM falling GROUP BY target) o ON o.target = f.runs
WHERE f.families = 1;
