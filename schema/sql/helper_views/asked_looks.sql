-- The looks that are asked, with the columns of the table look: here all. For reports. If the user asks for some builds only
-- (--target, --os, --compiler, --variant), the program makes a temporary table of this name, which SQLite finds first, with
-- their looks (reports/engine/filters/asked_looks.hpp). So a report joins this view in place of look, or beside the rows that it
-- counts. It must be a join: for "look_id IN (SELECT look_id FROM asked_looks)" SQLite would read all looks.
CREATE VIEW asked_looks AS
SELECT look_id, package_id, version_id, arch_id, compiler_id, variant_set_id
FROM look;
