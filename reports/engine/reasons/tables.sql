-- Why specs were rebuilt: the tables that the program fills from its graph of the ledger (reports/engine/reasons/reasons.hpp) for one
-- pair of snapshots or specs, one stack and one pattern of packages. The sqlite3 shell has no such graph: `report --sql` writes the
-- rows out.

-- One row for each reason: a class and a change, and the package where it is one; `hash` is the smallest of the new builds that are
-- the reason. `same_as` is equal for reasons that explain the same specs. `namespace` is that of the package, if it is known and one.
-- by_recipe is 1 if a change of the package's recipe can be the reason: one of the version, the variants, the patches, the
-- dependencies, a new package. `depth`, between two specs: how far below them it is. The class 'pushed' counts added specs that the
-- earlier side needed before, 'unknown' those of which no source gives the dependencies.
DROP TABLE IF EXISTS temp.spec_reasons;
CREATE TEMP TABLE spec_reasons (
  from_snapshot TEXT NOT NULL, to_snapshot TEXT NOT NULL, stack TEXT, asked_packages TEXT NOT NULL,
  package TEXT, hash TEXT, class TEXT NOT NULL, change TEXT, specs INTEGER NOT NULL, packages INTEGER NOT NULL, builds INTEGER,
  reach INTEGER, same_as INTEGER, namespace TEXT, by_recipe INTEGER NOT NULL, depth INTEGER);

-- The new builds on the ways from the builds that are explained down to the reasons, by package.
DROP TABLE IF EXISTS temp.why_package;
CREATE TEMP TABLE why_package (package_id INTEGER PRIMARY KEY, specs INTEGER NOT NULL);

-- Which of these packages depends on which other.
DROP TABLE IF EXISTS temp.why_package_edge;
CREATE TEMP TABLE why_package_edge (
  package_id INTEGER NOT NULL, dependency_id INTEGER NOT NULL, PRIMARY KEY (package_id, dependency_id)) WITHOUT ROWID;

-- What changed in those of them that are reasons.
DROP TABLE IF EXISTS temp.why_change;
CREATE TEMP TABLE why_change (
  from_snapshot TEXT NOT NULL, to_snapshot TEXT NOT NULL, stack TEXT, asked_packages TEXT NOT NULL,
  package_id INTEGER NOT NULL, change TEXT);
