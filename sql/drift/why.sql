-- title: Why specs were rebuilt
-- What is new at the bottom of specs that look as before: an own attribute of a package ("version: 2.1 -> 2.2", "recipe"), which
-- packages a spec depends on ("dependency added: zstd"), or another build of one that was there before ("uses: cmake 3.26.3 ->
-- cmake 3.27.9"). One row a reason: how many specs it explains, of how many packages, how many builds of it are new, and how many
-- of all explained specs reach it. A spec can have several reasons. Where a build came beside one that is still there, the
-- text begins with "beside" and has no arrow. In 'target-definition' and 'hash-definition' nothing but the features of
-- the target or the definition of the hash differs; 'pushed' counts added specs that were known before as a dependency;
-- 'unknown' those without known dependencies.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         explain only specs of packages that match
-- param: stack glob = null        explain only specs that were added within stacks that match
-- filters: looks
-- Outside of cacheledger the view spec_reasons is made first: reports/engine/reasons/asked_snapshots.sql says how, and reads asked_looks.
SELECT package, class, change, specs, packages, builds, reach, hash
FROM spec_reasons
WHERE from_snapshot = :from
  AND to_snapshot = :to
  AND stack IS :stack
  AND asked_packages = :package
ORDER BY
  class IN ('pushed', 'unknown'), class IN ('target-definition', 'hash-definition'), specs DESC,
  change IN ('recipe', 'beside; recipe'), reach DESC, package, class, change;
