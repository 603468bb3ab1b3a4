import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface Recorded<T> {
  n: number;
  record: T;
}

/** So many records of a kind are kept; older ones are deleted. */
const maxRecords = 1_000;

/** Records that the stack keeps in SQLite. Each is found by its names. */
export class Records<T> {
  readonly #statements: Record<'insert' | 'trim' | 'all' | 'named' | 'since' | 'last', StatementSync>;

  /** @param kind the name of the table. */
  constructor(database: DatabaseSync, kind: string) {
    database.exec(`CREATE TABLE IF NOT EXISTS ${kind}
      (n INTEGER PRIMARY KEY AUTOINCREMENT, names TEXT NOT NULL, record TEXT NOT NULL) STRICT`);
    this.#statements = {
      insert: database.prepare(`INSERT INTO ${kind} (names, record) VALUES (?, ?)`),
      trim: database.prepare(`DELETE FROM ${kind} WHERE n <= ?`),
      all: database.prepare(`SELECT n, record FROM ${kind} ORDER BY n DESC LIMIT ?`),
      named: database.prepare(`SELECT n, record FROM ${kind}
        WHERE EXISTS (SELECT 1 FROM json_each(names) WHERE value = ?) ORDER BY n DESC LIMIT ?`),
      since: database.prepare(`SELECT n, record FROM ${kind} WHERE n > ? ORDER BY n`),
      last: database.prepare(`SELECT max(n) AS n FROM ${kind}`),
    };
  }

  /** Once this returns, the record survives a kill -9. */
  add(record: T, names: readonly string[] = []): void {
    const { insert, trim } = this.#statements;
    const { lastInsertRowid } = insert.run(JSON.stringify(names), JSON.stringify(record));
    trim.run(Number(lastInsertRowid) - maxRecords);
  }

  /** The newest first. @param name of those that have it. */
  list(name = '', limit = maxRecords): Recorded<T>[] {
    const { all, named } = this.#statements;
    const rows = name === '' ? all.all(limit) : named.all(name, limit);
    return rows.map((row) => fromRow<T>(row));
  }

  /** The number of the newest record; 0 when there is none. */
  last(): number {
    return Number(this.#statements.last.get()?.n ?? 0);
  }

  /** The records after a number, oldest first, as far as they are kept. */
  since(n: number): Recorded<T>[] {
    return this.#statements.since.all(n).map((row) => fromRow<T>(row));
  }
}

function fromRow<T>({ n, record }: Record<string, unknown>): Recorded<T> {
  return { n: Number(n), record: JSON.parse(String(record)) };
}
