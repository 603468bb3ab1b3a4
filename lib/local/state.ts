import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another stack holds the data directory. */
export class DataDirectoryInUse extends Error {
  constructor(directory: string) {
    super(`${directory} is in use by another local stack.`);
    this.name = 'DataDirectoryInUse';
  }
}

/** What the local stack remembers between runs, and where its files lie. */
export interface State {
  /** For the mailbox and the state machines, which keep tables of their own in it. */
  database: DatabaseSync;
  /** Where generated files may be written; removed on close when nothing is kept. */
  directory: string;
  /** The engine's database; undefined when nothing is kept. */
  tablePath: string | undefined;
  /** A remembered value, parsed from JSON; undefined when there is none. */
  get(name: string): unknown;
  /** Remembers a value as JSON. Once this returns, a kill -9 does not lose it. */
  set(name: string, value: unknown): void;
  close(): void;
}

/**
 * Opens `local.sqlite` in the data directory, which is made when absent.
 *
 * The file is locked as long as it is open; the system frees the lock even after a kill -9.
 *
 * @param dataDir a directory, or `:memory:` to keep nothing.
 * @throws DataDirectoryInUse
 */
export function openState(dataDir: string): State {
  const kept = dataDir !== ':memory:';
  const directory = kept ? resolve(dataDir) : mkdtempSync(join(tmpdir(), 'vouchsafe-'));
  // The data holds what a developer tries out: nobody else on the machine needs to read it.
  if (kept) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const database = kept ? openLocked(directory) : new DatabaseSync(':memory:');
  database.exec('CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  const select = database.prepare('SELECT value FROM setting WHERE name = ?');
  const upsert = database.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)');

  return {
    database,
    directory,
    tablePath: kept ? join(directory, 'table.sqlite') : undefined,
    get(name) {
      const value = select.get(name)?.value;
      return typeof value === 'string' ? JSON.parse(value) : undefined;
    },
    set(name, value) {
      upsert.run(name, JSON.stringify(value));
    },
    close() {
      database.close();
      if (!kept) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function openLocked(directory: string): DatabaseSync {
  const database = new DatabaseSync(join(directory, 'local.sqlite'));
  try {
    // NORMAL loses nothing to a kill -9, only to a power cut, and is several times as fast as FULL.
    // The lock is taken with the first access and, in this mode, kept: https://www.sqlite.org/pragma.html#pragma_locking_mode
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new DataDirectoryInUse(directory);
    }
    throw error;
  }
}

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;
