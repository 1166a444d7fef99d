-- title: Why builds were rebuilt
-- What changed at the bottom of builds that look as before. Class 'own': an attribute of the package ("version: 2.1 ->
-- 2.2", "recipe"). Class 'edges': which packages it depends on ("dependency added: zstd"), or another build of one
-- ("uses: cmake 3.26.3 -> cmake 3.27.9"). Class 'unexplained': nothing that is known; "respelled" says that another
-- Spack rewrote the description. Each row is one reason. `specs` counts the builds that it explains, and
-- `packages` their packages. `builds` counts the new builds of the package that changed, and `reach` all explained
-- builds that depend on it. A build can have several reasons. If a build came beside one that is still there, the text
-- begins with "beside" and has no arrow. In 'target-definition' and 'hash-definition' only the features of the target
-- or the definition of the hash differ. 'pushed' counts added builds that were known before as a dependency, and
-- 'unknown' those without known dependencies.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         explain only builds of packages that match
-- param: stack glob = null        explain only builds that were added within stacks that match
-- chart: bars: package=several,change=unknown specs
-- caption: Rebuilt builds that each reason explains
-- unit: builds specs reach builds
-- filters: looks
-- The program fills the table spec_reasons (reports/engine/reasons/tables.sql) for the same arguments, and the builds of asked_looks.
-- command: why
SELECT package, class, change, specs, packages, builds, reach, hash
FROM spec_reasons
WHERE from_snapshot = :from
  AND to_snapshot = :to
  AND stack IS :stack
  AND asked_packages = :package
ORDER BY
  class IN ('pushed', 'unknown'), depth, class IN ('target-definition', 'hash-definition'), specs DESC,
  change IN ('recipe', 'beside; recipe'), reach DESC, package, class, change;
