-- Where a snapshot was read.
SELECT source FROM snapshot WHERE name = :at;
