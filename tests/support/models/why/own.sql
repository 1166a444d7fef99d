-- Why specs were rebuilt, step 3 of 5: the own attributes of the nodes, and the new nodes whose own attributes no earlier node
-- has (class 'own').

-- What is known of the nodes to compare. NULL: no source says.
DROP TABLE IF EXISTS temp.why_compared;
CREATE TEMP TABLE why_compared AS
SELECT
  g.group_id, g.spec_id, g.new_id, g.is_gone, g.depth, x.hash, l.package_id, l.version_id, l.arch_id, l.variant_set_id,
  CASE WHEN n.compiler_from IN ('node', 'annotation') THEN l.compiler_id END AS compiler_id,
  n.recipe_id, n.form, n.target_definition_id,
  CASE WHEN n.spec_id IS NOT NULL THEN ifnull(n.build_hash, '') END          AS build_hash  -- '': not spliced
FROM why_grouped g
CROSS JOIN spec x ON x.spec_id = g.spec_id
CROSS JOIN look l ON l.look_id = x.look_id
LEFT JOIN node n ON n.spec_id = g.spec_id;

-- The options of a variant set, without build_system, which nobody chooses, and patches, which are compared by themselves.
DROP TABLE IF EXISTS temp.why_option;
CREATE TEMP TABLE why_option (
  variant_set_id INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (variant_set_id, name)) WITHOUT ROWID;
INSERT INTO why_option
SELECT variant_set_id, name, group_concat(value, ',')
FROM (
  SELECT s.variant_set_id, v.name, v.value
  FROM (SELECT DISTINCT variant_set_id FROM why_compared) s
  CROSS JOIN variant_set_member m ON m.variant_set_id = s.variant_set_id
  CROSS JOIN variant v ON v.variant_id = m.variant_id
  WHERE v.name NOT IN ('build_system', 'patches')
  ORDER BY s.variant_set_id, v.name, v.value)
GROUP BY variant_set_id, name;

-- Variant sets with the same options have one choice_id: the smallest of them.
DROP TABLE IF EXISTS temp.why_choice;
CREATE TEMP TABLE why_choice (variant_set_id INTEGER PRIMARY KEY, choice_id INTEGER NOT NULL);
INSERT INTO why_choice
SELECT variant_set_id, min(variant_set_id) OVER (PARTITION BY options)
FROM (
  SELECT s.variant_set_id, group_concat(o.name || '=' || o.value, ' ') AS options
  FROM (SELECT DISTINCT variant_set_id FROM why_compared WHERE variant_set_id IS NOT NULL) s
  LEFT JOIN why_option o ON o.variant_set_id = s.variant_set_id
  GROUP BY s.variant_set_id);

-- own_id tells the own attributes in a group apart: the first member that has them. Of the types of edges, the hash of a node has those up to
-- `level` (why_edge.since).
DROP TABLE IF EXISTS temp.why_member;
CREATE TEMP TABLE why_member (
  member_id INTEGER PRIMARY KEY, own_id INTEGER NOT NULL, group_id INTEGER NOT NULL, spec_id INTEGER NOT NULL, new_id INTEGER,
  is_new INTEGER NOT NULL, is_gone INTEGER NOT NULL, hash TEXT NOT NULL, package_id, version_id, arch_id, compiler_id, choice_id, recipe_id, build_hash, level INTEGER, form INTEGER,
  target_definition_id, depth INTEGER);
INSERT INTO why_member
SELECT
  c.rowid,
  min(c.rowid) OVER (
    PARTITION BY c.group_id, c.package_id, c.version_id, c.arch_id, c.compiler_id, h.choice_id, c.recipe_id, c.build_hash),
  c.group_id, c.spec_id, c.new_id, c.new_id IS NOT NULL, c.is_gone, c.hash, c.package_id, c.version_id, c.arch_id, c.compiler_id, h.choice_id, c.recipe_id, c.build_hash,
  CASE WHEN c.form >= 5 THEN 5 WHEN c.form >= 3 THEN 3 WHEN c.form >= 1 THEN 1 END, c.form, c.target_definition_id, c.depth
FROM why_compared c
LEFT JOIN why_choice h ON h.variant_set_id = c.variant_set_id;
CREATE INDEX temp.why_member_own ON why_member (own_id, is_new, is_gone, hash);
CREATE UNIQUE INDEX temp.why_member_new ON why_member (new_id) WHERE new_id IS NOT NULL;

-- The own attributes. A target is compared by its name. `external`: 'no', or the path and the modules as JSON. is_vague: no source
-- says what the index why_own_old needs.
DROP TABLE IF EXISTS temp.why_own;
CREATE TEMP TABLE why_own (
  own_id INTEGER PRIMARY KEY, group_id, version_id, arch_id, compiler_id, choice_id, platform, os, target, flags, flags_text,
  patches, namespace, package_hash, external, external_text, build_hash, spliced_text, has_new, has_old, has_gone, is_vague);
INSERT INTO why_own
SELECT
  g.own_id, m.group_id, m.version_id, m.arch_id, m.compiler_id, m.choice_id, a.platform, a.os, a.target, r.flags,
  CASE r.flags WHEN '' THEN '(none)' ELSE r.flags END, r.patches, r.namespace, r.package_hash,
  CASE r.external WHEN 0 THEN 'no' WHEN 1 THEN json_array(r.external_path, r.external_modules) END,
  CASE r.external WHEN 0 THEN 'no' WHEN 1 THEN coalesce(r.external_path, r.external_modules, 'yes') END,
  m.build_hash, CASE m.build_hash WHEN '' THEN 'no' ELSE substr(m.build_hash, 1, 7) END,
  g.has_new, g.has_old, g.has_gone, m.version_id IS NULL OR m.arch_id IS NULL OR m.choice_id IS NULL
FROM (SELECT own_id, max(is_new) AS has_new, NOT min(is_new) AS has_old, max(is_gone) AS has_gone
  FROM why_member
  GROUP BY own_id) g
CROSS JOIN why_member m ON m.member_id = g.own_id
LEFT JOIN arch a ON a.arch_id = m.arch_id
LEFT JOIN recipe r ON r.recipe_id = m.recipe_id;
CREATE INDEX temp.why_own_old ON why_own (group_id, version_id, arch_id, choice_id) WHERE has_old;
CREATE INDEX temp.why_own_vague ON why_own (group_id) WHERE has_old AND is_vague;

-- Which own attributes match: what no source says matches anything. The first search has an index for what nearly all nodes say.
DROP TABLE IF EXISTS temp.why_same;
CREATE TEMP TABLE why_same (new_own INTEGER NOT NULL, old_own INTEGER NOT NULL, PRIMARY KEY (new_own, old_own)) WITHOUT ROWID;
INSERT INTO why_same
WITH likely (new_own, old_own) AS (
  SELECT n.own_id, o.own_id
  FROM why_own n
  CROSS JOIN why_own o
    ON o.group_id = n.group_id AND o.version_id = n.version_id AND o.arch_id = n.arch_id AND o.choice_id = n.choice_id
   AND o.has_old
  WHERE n.has_new
  UNION ALL
  SELECT n.own_id, o.own_id
  FROM why_own n
  CROSS JOIN why_own o ON o.group_id = n.group_id AND o.has_old AND o.is_vague
  WHERE n.has_new
  UNION ALL
  SELECT n.own_id, o.own_id
  FROM why_own n
  CROSS JOIN why_own o ON o.group_id = n.group_id AND o.has_old
  WHERE n.has_new AND n.is_vague AND NOT o.is_vague)
SELECT n.own_id, o.own_id
FROM likely p
CROSS JOIN why_own n ON n.own_id = p.new_own
CROSS JOIN why_own o ON o.own_id = p.old_own
WHERE ifnull(n.version_id = o.version_id, 1)
  AND ifnull(n.arch_id = o.arch_id, 1)
  AND ifnull(n.choice_id = o.choice_id, 1)
  AND ifnull(n.compiler_id = o.compiler_id, 1)
  AND ifnull(n.flags = o.flags, 1)
  AND ifnull(n.patches = o.patches, 1)
  AND ifnull(n.namespace = o.namespace, 1)
  AND ifnull(n.package_hash = o.package_hash, 1)
  AND ifnull(n.external = o.external, 1)
  AND ifnull(n.build_hash = o.build_hash, 1);

-- The new nodes. `class` and `change` are filled in as they are found. goes_on: there may be reasons below it, too. Of two specs the
-- later one is told in full, whatever changed in itself.
DROP TABLE IF EXISTS temp.why_new;
CREATE TEMP TABLE why_new (
  new_id INTEGER PRIMARY KEY, spec_id INTEGER NOT NULL, package_id INTEGER NOT NULL, hash TEXT NOT NULL, own_id INTEGER NOT NULL,
  class TEXT, change TEXT, depth INTEGER, goes_on AS (class IS 'below' OR depth IS 0));
INSERT INTO why_new
SELECT
  new_id, spec_id, package_id, hash, own_id,
  CASE WHEN NOT EXISTS (SELECT 1 FROM why_same p WHERE p.new_own = m.own_id) THEN 'own'
       WHEN form IS NULL THEN 'unexplained' END,
  CASE WHEN form IS NULL THEN '' END, depth
FROM why_member m
WHERE is_new;

-- What differs from the nearest earlier node of the package. "Nearest": gone from the later side; the family of targets, platform
-- and os, target (of those that the later node's target runs, the one that runs most comes first), version, the number of options, compiler, flags or patches,
-- recipe; the greatest version; the smallest hash. Beside a node that is still there the text has no arrow.
-- by_recipe: the recipe of the package can be why something of it differs.
DROP TABLE IF EXISTS temp.why_own_change;
CREATE TEMP TABLE why_own_change (own_id INTEGER PRIMARY KEY, change TEXT NOT NULL, by_recipe INTEGER NOT NULL);
INSERT INTO why_own_change
WITH
-- has_close: a node for the same system is gone, so that no other can be nearer.
first_own (own_id, has_close) AS MATERIALIZED (
  SELECT n.own_id, EXISTS (
    SELECT 1 FROM why_own o
    WHERE o.group_id = n.group_id AND o.has_old AND o.has_gone AND o.arch_id = n.arch_id)
  FROM why_own n
  WHERE n.own_id IN (SELECT own_id FROM why_new WHERE class = 'own')),
pair AS MATERIALIZED (
  SELECT
    n.own_id, o.own_id AS old_own, n.choice_id AS new_choice, o.choice_id AS old_choice,
    ifnull(n.platform <> o.platform, 0)         AS platform,
    ifnull(n.os <> o.os, 0)                     AS os,
    CASE WHEN n.target <> o.target THEN (n.target, o.target) IN (SELECT target, other FROM foreign_targets) ELSE 0 END
      AS family,
    CASE WHEN n.target <> o.target THEN coalesce(t.steps, 10000) ELSE 0 END
      AS target,
    ifnull(n.version_id <> o.version_id, 0)     AS version,
    ifnull(n.choice_id <> o.choice_id, 0)       AS choice,
    ifnull(n.compiler_id <> o.compiler_id, 0)   AS compiler,
    ifnull(n.flags <> o.flags, 0)               AS flags,
    ifnull(n.patches <> o.patches, 0)           AS patches,
    ifnull(n.namespace <> o.namespace, 0)       AS namespace,
    ifnull(n.package_hash <> o.package_hash, 0) AS recipe,
    ifnull(n.external <> o.external, 0)         AS external,
    ifnull(n.build_hash <> o.build_hash, 0)     AS spliced,
    v.sort_key
  FROM first_own f
  CROSS JOIN why_own n ON n.own_id = f.own_id
  CROSS JOIN why_own o
    ON o.group_id = n.group_id AND o.has_old
   AND (NOT f.has_close OR (o.has_gone AND (o.arch_id = n.arch_id OR o.arch_id IS NULL)))
  LEFT JOIN version v ON v.version_id = o.version_id
  LEFT JOIN target_order t ON t.target = n.target AND t.runs = o.target),
choice_pair (new_choice, old_choice) AS MATERIALIZED (
  SELECT DISTINCT new_choice, old_choice FROM pair WHERE choice),
option_change (new_choice, old_choice, name, now, before) AS (
  SELECT p.new_choice, p.old_choice, n.name, n.value, o.value
  FROM choice_pair p
  CROSS JOIN why_option n ON n.variant_set_id = p.new_choice
  LEFT JOIN why_option o ON o.variant_set_id = p.old_choice AND o.name = n.name
  WHERE o.value IS NOT n.value
  UNION ALL
  SELECT p.new_choice, p.old_choice, o.name, NULL, o.value
  FROM choice_pair p
  CROSS JOIN why_option o ON o.variant_set_id = p.old_choice
  WHERE NOT EXISTS (SELECT 1 FROM why_option n WHERE n.variant_set_id = p.new_choice AND n.name = o.name)
  ORDER BY 1, 2, 3),
-- `flag`: the text for a boolean option, which is on or off (or gone).
option_told (new_choice, old_choice, name, now, before, flag) AS (
  SELECT new_choice, old_choice, name, ifnull(now, '(none)'), ifnull(before, '(none)'),
    CASE ifnull(now, before) WHEN 'true' THEN '+' WHEN 'false' THEN '~' END
      || name || CASE WHEN now IS NULL THEN ' dropped' ELSE '' END
  FROM option_change),
choice_told (new_choice, old_choice, options, changes, values_now) AS MATERIALIZED (
  SELECT new_choice, old_choice, count(*),
    group_concat(ifnull(flag, name || ': ' || before || ' -> ' || now), '; '),
    group_concat(ifnull(flag, name || ': ' || now), '; ')
  FROM option_told
  GROUP BY new_choice, old_choice),
old_build (own_id, is_gone, hash) AS MATERIALIZED (
  SELECT own_id, is_gone, min(hash) FROM why_member WHERE NOT is_new GROUP BY own_id, is_gone),
ranked AS (
  SELECT
    p.*, g.is_gone, CASE WHEN g.is_gone THEN t.changes ELSE t.values_now END AS options,
    row_number() OVER (
      PARTITION BY p.own_id
      ORDER BY
        g.is_gone DESC, p.family, p.platform OR p.os, p.target, p.version, ifnull(t.options, 0), p.compiler, p.flags OR p.patches,
        p.recipe, p.sort_key DESC, g.hash) AS place
  FROM pair p
  CROSS JOIN old_build g ON g.own_id = p.old_own
  LEFT JOIN choice_told t ON t.new_choice = p.new_choice AND t.old_choice = p.old_choice),
-- One row for each attribute that differs, in this order. Without a name `now` is the whole text, without values the name is.
difference (own_id, is_gone, name, before, now) AS (
  SELECT r.own_id, r.is_gone, d.value ->> 1, d.value ->> 2, d.value ->> 3
  FROM ranked r
  CROSS JOIN why_own n ON n.own_id = r.own_id
  CROSS JOIN why_own o ON o.own_id = r.old_own
  LEFT JOIN version vn ON vn.version_id = n.version_id
  LEFT JOIN version vo ON vo.version_id = o.version_id
  LEFT JOIN compiler cn ON cn.compiler_id = n.compiler_id
  LEFT JOIN compiler co ON co.compiler_id = o.compiler_id
  CROSS JOIN json_each(json_array(
    json_array(r.version,   'version',   vo.version,      vn.version),
    json_array(r.platform,  'platform',  o.platform,      n.platform),
    json_array(r.os,        'os',        o.os,            n.os),
    json_array(r.target,    'target',    o.target,        n.target),
    json_array(r.compiler,  'compiler',  co.spec,         cn.spec),
    json_array(r.choice,    NULL,        NULL,            r.options),
    json_array(r.flags,     'flags',     o.flags_text,    n.flags_text),
    json_array(r.patches,   'patches',   NULL,            NULL),
    json_array(r.namespace, 'namespace', o.namespace,     n.namespace),
    json_array(r.recipe,    'recipe',    NULL,            NULL),
    json_array(r.external,  'external',  o.external_text, n.external_text),
    json_array(r.spliced,   'spliced',   o.spliced_text,  n.spliced_text))) d
  WHERE r.place = 1 AND d.value ->> 0
  ORDER BY r.own_id, d.key)
SELECT
  own_id,
  CASE WHEN is_gone THEN '' ELSE 'beside; ' END || group_concat(
    CASE
      WHEN name IS NULL THEN now
      WHEN now IS NULL THEN name
      WHEN is_gone THEN name || ': ' || before || ' -> ' || now
      ELSE name || ': ' || now
    END, '; '),
  max(name IS NULL OR name IN ('version', 'patches', 'recipe'))
FROM difference
GROUP BY own_id, is_gone;
UPDATE why_new
SET change = ifnull((SELECT c.change FROM why_own_change c WHERE c.own_id = why_new.own_id), 'new package')
WHERE class = 'own';
