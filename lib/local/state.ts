import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { explainFileError, requireKnownFormat, withFile } from './data-files.ts';

/** Another local stack uses the data directory. */
export class DataDirectoryInUse extends Error {
  constructor(directory: string) {
    super(`${directory} is in use by another local stack.`);
    this.name = 'DataDirectoryInUse';
  }
}

/** The data that the local stack stores between runs, and the location of its files. */
export interface State {
  /** For the mailbox and the state machines, which create their own tables in it. */
  database: DatabaseSync;
  /** Directory for generated files; removed on close when nothing is stored. */
  directory: string;
  /** File of the DynamoDB engine; undefined when nothing is stored. */
  tablePath: string | undefined;
  /** A value that was stored under the name. */
  get<T>(name: string): T | undefined;
  /** Stores a value as JSON. Once this returns, the value survives a kill -9. */
  set(name: string, value: unknown): void;
  close(): void;
}

/**
 * Opens `local.sqlite` in the data directory, which is created when absent.
 *
 * The file is locked while it is open. The system releases the lock even after a kill -9.
 *
 * @throws DataDirectoryInUse
 * @throws UnusableData
 */
export function openState(dataDir: string): State {
  const isPersistent = dataDir !== ':memory:';
  const directory = isPersistent ? resolve(dataDir) : mkdtempSync(join(tmpdir(), 'vouchsafe-'));
  // Other users of the machine have no need to read a developer's data.
  if (isPersistent) withFile(directory, () => mkdirSync(directory, { recursive: true, mode: 0o700 }));
  const database = isPersistent ? openLocked(directory) : new DatabaseSync(':memory:');
  database.exec('CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  const select = database.prepare('SELECT value FROM setting WHERE name = ?');
  const upsert = database.prepare('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)');

  return {
    database,
    directory,
    tablePath: isPersistent ? join(directory, 'table.sqlite') : undefined,
    get(name) {
      const value = select.get(name)?.value;
      return typeof value === 'string' ? JSON.parse(value) : undefined;
    },
    set(name, value) {
      upsert.run(name, JSON.stringify(value));
    },
    close() {
      database.close();
      if (!isPersistent) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function openLocked(directory: string): DatabaseSync {
  const file = join(directory, 'local.sqlite');
  const database = withFile(file, () => new DatabaseSync(file));
  try {
    // NORMAL loses data on a power cut but not on a kill -9, and is several times as fast as FULL.
    // In this mode the first access takes the lock and keeps it: https://www.sqlite.org/pragma.html#pragma_locking_mode
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    requireKnownFormat(database, file);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new DataDirectoryInUse(directory);
    }
    throw explainFileError(file, error);
  }
}

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5;
