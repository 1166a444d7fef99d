-- What inputs say of targets that the program does not know: the targets directly below each (`parents` in indexes and lock files).
-- All that any input said of a target stays, so that the order of loading does not matter.
CREATE TABLE target_parent (
  target TEXT NOT NULL,
  parent TEXT NOT NULL,  -- '' where the input says that it has none: it begins a family
  PRIMARY KEY (target, parent)
) STRICT, WITHOUT ROWID;

-- What meets wishes was judged by the order of targets of another year: it is judged again.
UPDATE wish_judgement SET nodes = -1 WHERE wish_id > 0;
