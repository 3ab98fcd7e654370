// The brokerage's own books, in one SQLite file that survives a kill at any moment.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export function openDatabase(file: string): DatabaseSync {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  database.exec(SCHEMA);
  return database;
}

/** Runs everything or nothing. Not nested. */
export function atomically<Result>(database: DatabaseSync, run: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = run();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    for (const forget of undone.get(database) ?? []) forget();
    throw error;
  }
}

const undone = new WeakMap<DatabaseSync, (() => void)[]>();

/** For what somebody remembers of its rows. */
export function whenUndone(database: DatabaseSync, forget: () => void): void {
  undone.set(database, [...(undone.get(database) ?? []), forget]);
}

/** Money in micro-units, quantities in 1e-8, `*_at` on the sandbox clock, `*_ms` in real time. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS accounts (
  account_id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  cash_micro INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS people (
  user_name TEXT PRIMARY KEY,
  password_salt TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts
) STRICT;
CREATE TABLE IF NOT EXISTS request_tokens (
  token TEXT PRIMARY KEY,
  created_ms INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'approved', 'denied', 'spent')),
  user_name TEXT REFERENCES people,
  verifier TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS access_tokens (
  token TEXT PRIMARY KEY,
  secret_hex TEXT NOT NULL,
  user_name TEXT NOT NULL REFERENCES people
) STRICT;
CREATE TABLE IF NOT EXISTS orders (
  order_id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts,
  client_order_id TEXT,
  symbol TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('BUY', 'SELL')),
  order_type TEXT NOT NULL CHECK (order_type IN ('LMT', 'MKT', 'STP')),
  price REAL,
  time_in_force TEXT NOT NULL CHECK (time_in_force IN ('DAY', 'GTC')),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  filled INTEGER NOT NULL DEFAULT 0 CHECK (filled BETWEEN 0 AND quantity),
  status TEXT NOT NULL CHECK (status IN ('PreSubmitted', 'Submitted', 'Filled', 'Cancelled')),
  note TEXT NOT NULL DEFAULT '',
  submitted_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  expires_at INTEGER,
  session_id TEXT,
  UNIQUE (account_id, client_order_id)
) STRICT;
CREATE INDEX IF NOT EXISTS orders_working ON orders (order_id) WHERE status IN ('PreSubmitted', 'Submitted');
CREATE INDEX IF NOT EXISTS orders_working_of ON orders (account_id) WHERE status IN ('PreSubmitted', 'Submitted');
CREATE INDEX IF NOT EXISTS orders_recent ON orders (account_id, changed_at);
CREATE TABLE IF NOT EXISTS executions (
  execution_id TEXT PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders,
  account_id TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  price REAL NOT NULL,
  commission_micro INTEGER NOT NULL,
  executed_at INTEGER NOT NULL,
  recorded_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS executions_recent ON executions (account_id, executed_at);
CREATE INDEX IF NOT EXISTS executions_of_order ON executions (order_id);
CREATE TABLE IF NOT EXISTS execution_revisions (
  execution_id TEXT NOT NULL REFERENCES executions,
  revision INTEGER NOT NULL CHECK (revision > 1),
  quantity INTEGER NOT NULL CHECK (quantity >= 0),
  price REAL NOT NULL,
  commission_micro INTEGER NOT NULL,
  reported TEXT NOT NULL CHECK (reported IN ('instead', 'beside', 'nothing')),
  PRIMARY KEY (execution_id, revision)
) STRICT;
CREATE TABLE IF NOT EXISTS positions (
  account_id TEXT NOT NULL REFERENCES accounts,
  symbol TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  cost_micro INTEGER NOT NULL,
  realized_micro INTEGER NOT NULL,
  PRIMARY KEY (account_id, symbol)
) STRICT;
CREATE TABLE IF NOT EXISTS order_marks (
  order_id INTEGER PRIMARY KEY REFERENCES orders,
  hidden_until INTEGER,
  cancel_at INTEGER,
  order_ref TEXT,
  is_parked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS progress (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  matched_until INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS nights (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  passed_until INTEGER NOT NULL
) STRICT;
INSERT OR IGNORE INTO sqlite_sequence (name, seq) SELECT 'orders', 1000000000
  WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'orders');
`;
