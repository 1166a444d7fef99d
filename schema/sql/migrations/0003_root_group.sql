-- Lock files of version 7 (Spack 1.2) put the roots of an environment into groups, which are concretized one after another.
ALTER TABLE root_presence ADD COLUMN root_group TEXT;  -- the group of the root; NULL where the file names none
