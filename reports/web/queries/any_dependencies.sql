-- Whether the ledger knows of any build what it needs.
SELECT EXISTS (SELECT 1 FROM node) AS known;
