-- What recipes say at the head of a package repository (package_repository.head). All of it is written anew when the head moves.

-- A package that has a recipe at the head of a repository. A repository without such rows was read before this table was there, or has no
-- recipes: its next `ingest` reads them.
CREATE TABLE head_recipe (
  recipe_package_id     INTEGER NOT NULL REFERENCES recipe_package (recipe_package_id),
  package_repository_id INTEGER NOT NULL REFERENCES package_repository (package_repository_id),
  knows_versions        INTEGER NOT NULL CHECK (knows_versions IN (0, 1)),  -- 0: it may have others than those of head_version
  PRIMARY KEY (recipe_package_id, package_repository_id)
) STRICT, WITHOUT ROWID;

-- A version that such a recipe has.
CREATE TABLE head_version (
  recipe_package_id     INTEGER NOT NULL,
  package_repository_id INTEGER NOT NULL,
  version               TEXT NOT NULL,
  is_deprecated         INTEGER CHECK (is_deprecated IN (0, 1)),            -- NULL: the recipe computes it
  PRIMARY KEY (recipe_package_id, package_repository_id, version),
  FOREIGN KEY (recipe_package_id, package_repository_id) REFERENCES head_recipe (recipe_package_id, package_repository_id)
) STRICT, WITHOUT ROWID;

-- Such a recipe, or the build system that it uses, says that builds must not be redistributed: redistribute(binary=False).
CREATE TABLE head_restriction (
  recipe_package_id     INTEGER NOT NULL,
  package_repository_id INTEGER NOT NULL,
  condition             TEXT NOT NULL,                                      -- which builds, as a spec: @1.2: +cuda; '' for all
  is_spec               INTEGER NOT NULL CHECK (is_spec IN (0, 1)),         -- 0: the condition is Python
  PRIMARY KEY (recipe_package_id, package_repository_id, condition),
  FOREIGN KEY (recipe_package_id, package_repository_id) REFERENCES head_recipe (recipe_package_id, package_repository_id)
) STRICT, WITHOUT ROWID;

-- As in 0001_initial.sql: the sizes of spack/spack-packages.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('head_recipe', 'head_recipe', '9000 1 1'),
  ('head_version', 'head_version', '50000 6 6 1'),
  ('head_restriction', 'head_restriction', '100 2 2 1');

ANALYZE sqlite_schema;
