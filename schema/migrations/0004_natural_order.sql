-- The natural order of versions and compilers: ORDER BY sort_key sorts them as Spack does (schema/spelling/version_order.hpp says
-- how), in any database that compares texts byte by byte. SQL can't work the keys out: the program fills them in, right
-- after this and in the same transaction, and whenever it adds a row. They are unique, and never empty after that.
ALTER TABLE version ADD COLUMN sort_key TEXT NOT NULL DEFAULT '';
ALTER TABLE compiler ADD COLUMN sort_key TEXT NOT NULL DEFAULT '';
