-- title: What one has and another lacks
-- Of two targets, systems, compilers, versions or stacks (`--by`), what `--has` has and `--lacks` has not: versions of packages, or
-- with `--rows` packages, builds (by hash), or other such words. Of a pattern, each one that matches `--has` has rows of its own; those
-- that match `--lacks` count as one, without the one itself. Without --lacks these are all others. `others` is what those have of the
-- package instead, and `had` what they had once, in any snapshot of the ledger: 'this', only 'the package', or nothing. With
-- `--had yes` only those rows are left: what they never had perhaps can never be, such as a compiler that does not run there.
-- `root`, the union of all stacks, is left out unless it is named: `--by stack --lacks root --rows build` finds the builds that the top
-- level of a mirror lacks.
-- param: at snapshot = latest   the snapshot
-- param: by one-of:stack,target,system,compiler,version = stack   what is compared
-- param: has name-of:by = *     the one that has it
-- param: lacks name-of:by = null   the one that lacks it
-- param: rows one-of:version,package,build,target,system,compiler = version   what it has
-- param: had one-of:no,yes = no   yes: only packages that the other had once
-- param: package glob = *       only packages that match
-- filters: looks
WITH built AS MATERIALIZED (
  SELECT p.package_id, p.look_id, p.stack_set_id, CASE WHEN :rows = 'build' THEN p.spec_id END AS spec_id, count(*) AS specs
  FROM present_specs p
  CROSS JOIN asked_looks USING (look_id)
  WHERE p.snapshot = :at
    AND glob(:package, p.package)
  GROUP BY p.package_id, p.look_id, p.stack_set_id, CASE WHEN :rows = 'build' THEN p.spec_id END),
-- What each look is, in the words that are asked.
named AS MATERIALIZED (
  SELECT
    l.look_id,
    CASE :by WHEN 'target' THEN a.target WHEN 'system' THEN a.platform || '-' || a.os WHEN 'version' THEN v.version
             WHEN 'compiler' THEN coalesce(c.spec, '(no compiler)') END AS word,
    CASE :rows WHEN 'target' THEN a.target WHEN 'system' THEN a.platform || '-' || a.os WHEN 'version' THEN v.version
               WHEN 'compiler' THEN coalesce(c.spec, '(no compiler)') ELSE '' END AS item,
    CASE :rows WHEN 'version' THEN v.sort_key WHEN 'compiler' THEN c.sort_key END AS item_key
  FROM asked_looks l
  LEFT JOIN version v USING (version_id)
  LEFT JOIN arch a USING (arch_id)
  LEFT JOIN compiler c USING (compiler_id)
  WHERE l.package_id IN (SELECT package_id FROM built)),
-- Each of those that are compared, and whether it is asked for as the one, and as the other.
side AS MATERIALIZED (
  SELECT
    t.word,
    CASE WHEN t.word = :has OR (r.name IS NULL AND glob(:has, t.word)) THEN 1 ELSE 0 END AS is_one,
    CASE WHEN t.word = :lacks OR (r.name IS NULL AND (glob(:lacks, t.word) OR (:lacks IS NULL AND t.word <> '(no stack)'))) THEN 1
         ELSE 0 END AS is_other
  FROM (SELECT word FROM named UNION SELECT stack FROM stack_set_stacks WHERE :by = 'stack') t
  LEFT JOIN stack r ON :by = 'stack' AND r.is_root = 1 AND r.name = t.word
  WHERE t.word IS NOT NULL),
held AS MATERIALIZED (
  SELECT b.package_id, n.item, b.spec_id, s.word, s.is_one, s.is_other, n.item_key, sum(b.specs) AS specs
  FROM built b
  CROSS JOIN named n ON n.look_id = b.look_id
  LEFT JOIN stack_set_stacks m ON :by = 'stack' AND m.stack_set_id = b.stack_set_id
  CROSS JOIN side s ON s.word = coalesce(m.stack, n.word)
  GROUP BY b.package_id, n.item, b.spec_id, s.word, s.is_one, s.is_other, n.item_key),
lacking AS MATERIALIZED (
  SELECT package_id, item, item_key, spec_id, word, specs
  FROM (
    SELECT h.*, sum(h.is_other) OVER (PARTITION BY h.package_id, h.item, h.spec_id) - h.is_other AS others FROM held h) c
  WHERE c.is_one > 0
    AND c.others < 1),
-- What the others have of these packages, and what they had once.
place AS MATERIALIZED (SELECT DISTINCT word, package_id FROM lacking),
other AS MATERIALIZED (
  SELECT word, package_id, count(*) AS items, group_concat(item, ',') AS list
  FROM (
    SELECT DISTINCT t.word, t.package_id, o.item, o.item_key
    FROM place t
    CROSS JOIN held o ON o.package_id = t.package_id
    WHERE o.is_other > 0
      AND o.word <> t.word
    ORDER BY t.word, t.package_id, o.item_key, o.item) e
  GROUP BY word, package_id),
past AS MATERIALIZED (
  SELECT DISTINCT p.package_id, p.item, p.spec_id, s.word
  FROM (
    SELECT DISTINCT p.package_id, n.item, CASE WHEN :rows = 'build' THEN p.spec_id END AS spec_id, p.stack_set_id, n.word
    FROM presence p
    CROSS JOIN named n ON n.look_id = p.look_id
    WHERE p.package_id IN (SELECT package_id FROM place)) p
  LEFT JOIN stack_set_stacks m ON :by = 'stack' AND m.stack_set_id = p.stack_set_id
  CROSS JOIN side s ON s.word = coalesce(m.stack, p.word)
  WHERE s.is_other > 0),
had AS MATERIALIZED (
  SELECT t.word, p.package_id, p.item, p.spec_id FROM place t CROSS JOIN past p ON p.package_id = t.package_id AND p.word <> t.word)
SELECT
  t.word AS has,
  CASE WHEN o.word IS NULL THEN 'the package' ELSE 'this ' || :rows END AS lacks,
  k.name AS package,
  nullif(coalesce(x.hash, t.item), '') AS item,
  t.specs,
  CASE WHEN :rows IN ('build', 'package') THEN NULL ELSE o.list END AS others,
  CASE WHEN h.word IS NOT NULL THEN 'this' WHEN p.word IS NOT NULL THEN 'the package' END AS had
FROM lacking t
CROSS JOIN package k ON k.package_id = t.package_id
LEFT JOIN spec x ON x.spec_id = t.spec_id
LEFT JOIN other o ON o.word = t.word AND o.package_id = t.package_id
LEFT JOIN (SELECT DISTINCT word, package_id, item, spec_id FROM had) h ON h.word = t.word AND h.package_id = t.package_id
  AND h.item = t.item AND coalesce(h.spec_id, 0) = coalesce(t.spec_id, 0)
LEFT JOIN (SELECT DISTINCT word, package_id FROM had) p ON p.word = t.word AND p.package_id = t.package_id
WHERE :had <> 'yes' OR p.word IS NOT NULL
ORDER BY t.word, lacks, k.name, t.item_key NULLS FIRST, coalesce(x.hash, t.item);
