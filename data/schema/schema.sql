-- Weir project file, version 1. Applied in one transaction to an empty database; see project.md.
CREATE TABLE documents (
  kind TEXT NOT NULL,             -- scenario, calibration, run, plan
  name TEXT NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT;

CREATE TABLE traces (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  format TEXT NOT NULL,
  origin TEXT,                    -- absolute time of arrival 0 as the file wrote it
  requests INTEGER NOT NULL,      -- rows in trace_chunks
  rows_read INTEGER NOT NULL,
  rows_imported INTEGER NOT NULL,
  rows_rejected INTEGER NOT NULL,
  rows_blank INTEGER NOT NULL,
  class_names TEXT NOT NULL,      -- JSON array of texts
  warnings TEXT NOT NULL,         -- JSON array of texts
  rejected TEXT NOT NULL          -- JSON array of [line, reason]
) STRICT;

-- Columns of up to 65,536 requests, each little-endian integers packed by zlib.
CREATE TABLE trace_chunks (
  trace INTEGER NOT NULL REFERENCES traces (id),
  chunk INTEGER NOT NULL,         -- from 0
  requests INTEGER NOT NULL,
  arrival BLOB NOT NULL,          -- int64 ns, first value absolute, then differences
  input_tokens BLOB NOT NULL,     -- int32
  output_tokens BLOB NOT NULL,    -- int32
  items BLOB NOT NULL,            -- int32
  class_index BLOB NOT NULL,      -- int16
  status BLOB NOT NULL,           -- uint8
  PRIMARY KEY (trace, chunk)
) STRICT;
