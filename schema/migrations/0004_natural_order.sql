-- The natural order of versions and compilers. ORDER BY sort_key sorts them like Spack, in any database that compares
-- texts byte by byte (schema/spelling/version_order.hpp). SQL can't compute the keys: the program fills them in after
-- this file, in the same transaction, and for each row that it adds. From then on they are unique and never empty.
ALTER TABLE version ADD COLUMN sort_key TEXT NOT NULL DEFAULT '';
ALTER TABLE compiler ADD COLUMN sort_key TEXT NOT NULL DEFAULT '';
