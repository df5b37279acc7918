-- From version 1 to version 2 of the project file: what prompts hold and who sent them.
ALTER TABLE traces ADD COLUMN tokens_per_hash INTEGER NOT NULL DEFAULT 0;  -- 0 = no hashes

-- Beside a row of trace_chunks, only when one of its requests has a client or a prompt that is known. Packed alike.
CREATE TABLE trace_prompts (
  trace INTEGER NOT NULL REFERENCES traces (id),
  chunk INTEGER NOT NULL,
  client BLOB NOT NULL,           -- int32, -1 = not known
  session BLOB NOT NULL,          -- int32, -1 = none
  turn BLOB NOT NULL,             -- int32, -1 = not known
  hash_count BLOB NOT NULL,       -- int32
  hashes BLOB NOT NULL,           -- int64 of all requests in order: the first as it is, then differences
  PRIMARY KEY (trace, chunk)
) STRICT;
