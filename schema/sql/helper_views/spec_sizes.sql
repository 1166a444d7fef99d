-- The bytes of the binary of each spec, where the ledger has a number of bytes; else NULL (a page could say "100 MB").
-- A mirror gives no more than 13 digits (ingest/sources/kinds/manifests.cpp), so a sum over a million specs is still a number
-- of 64 bits. For reports. Ask for a spec_id.
CREATE VIEW spec_sizes AS
SELECT
  spec_id,
  CASE WHEN NOT glob('*[^0-9]*', size) AND length(size) BETWEEN 1 AND 13 THEN CAST(size AS BIGINT) END AS bytes
FROM spec;
