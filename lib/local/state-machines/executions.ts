import type { DatabaseSync } from 'node:sqlite';
import type { Json } from './expression.ts';
import type { Position } from './step.ts';

type Status = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'ABORTED';

/** The facts of an execution from its start on. */
interface ExecutionFacts {
  arn: string;
  name: string;
  machineArn: string;
  startMs: number;
  input: Json;
}

/** An execution as stored; times in epoch milliseconds. */
export interface Execution extends ExecutionFacts {
  /** Strict order of executions by their start. */
  sequence: number;
  /** The revision of the definition that it started with and keeps. */
  revision: number;
  /** The JSON of the input as sent: a repeated start must send the same. */
  inputText: string;
  status: Status;
  stopMs: number | undefined;
  output: string | undefined;
  error: string | undefined;
  cause: string | undefined;
  position: Position;
}

export interface Ending {
  status: Exclude<Status, 'RUNNING'>;
  stopMs: number;
  output?: string | undefined;
  error?: string | undefined;
  cause?: string | undefined;
}

/** Which executions are in progress, by ARN. */
interface InProgress {
  has(arn: string): boolean;
}

/** `due_ms` is a column of its own, for its index, and takes precedence over the position. */
const schema = `
  CREATE TABLE IF NOT EXISTS sfn_revision (
    revision INTEGER PRIMARY KEY AUTOINCREMENT,
    machine_arn TEXT NOT NULL,
    definition TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS sfn_revision_by_machine ON sfn_revision (machine_arn, revision);
  CREATE TABLE IF NOT EXISTS sfn_execution (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    arn TEXT NOT NULL UNIQUE,
    machine_arn TEXT NOT NULL,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL REFERENCES sfn_revision,
    input TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    status TEXT NOT NULL,
    position TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    stop_ms INTEGER,
    output TEXT,
    error TEXT,
    cause TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS sfn_execution_by_due ON sfn_execution (due_ms, sequence) WHERE status = 'RUNNING';
  CREATE INDEX IF NOT EXISTS sfn_execution_by_time
    ON sfn_execution (machine_arn, coalesce(stop_ms, start_ms), sequence);
`;

interface Row {
  sequence: number;
  arn: string;
  machine_arn: string;
  name: string;
  revision: number;
  input: string;
  start_ms: number;
  status: Status;
  position: string;
  stop_ms: number | null;
  output: string | null;
  error: string | null;
  cause: string | null;
}

/**
 * Executions and definitions in SQLite. Every method is one statement and so one transaction. Writes to an execution apply
 * only while it is running, so that a step that was in progress never undoes a stop.
 */
export function openExecutions(database: DatabaseSync) {
  database.exec(schema);
  const latest = database.prepare(
    'SELECT revision, definition FROM sfn_revision WHERE machine_arn = ? ORDER BY revision DESC LIMIT 1',
  );
  const revise = database.prepare('INSERT INTO sfn_revision (machine_arn, definition) VALUES (?, ?)');
  const revision = database.prepare('SELECT definition FROM sfn_revision WHERE revision = ?');
  const insert = database.prepare(
    `INSERT INTO sfn_execution (arn, machine_arn, name, revision, input, start_ms, status, position, due_ms)
     VALUES (?, ?, ?, ?, ?, ?, 'RUNNING', ?, ?) ON CONFLICT (arn) DO NOTHING`,
  );
  const deleteEnded = database.prepare('DELETE FROM sfn_execution WHERE arn = ? AND stop_ms < ?');
  const find = database.prepare('SELECT * FROM sfn_execution WHERE arn = ?');
  const move = database.prepare(
    "UPDATE sfn_execution SET position = ?, due_ms = ? WHERE arn = ? AND status = 'RUNNING'",
  );
  const end = database.prepare(
    `UPDATE sfn_execution SET status = ?, stop_ms = ?, output = ?, error = ?, cause = ?
     WHERE arn = ? AND status = 'RUNNING'`,
  );
  const byDue = database.prepare(
    "SELECT arn, position, due_ms FROM sfn_execution WHERE status = 'RUNNING' ORDER BY due_ms, sequence",
  );
  const list = database.prepare(
    `SELECT * FROM sfn_execution WHERE machine_arn = ?
     ORDER BY coalesce(stop_ms, start_ms) DESC, sequence DESC LIMIT ?`,
  );

  return {
    /** Makes a definition the latest of its machine. Running executions keep theirs. */
    revise(machineArn: string, definition: string): void {
      if (latest.get(machineArn)?.definition !== definition) revise.run(machineArn, definition);
    },
    latest(machineArn: string): { revision: number; definition: string } | undefined {
      const row = latest.get(machineArn);
      return row && { revision: Number(row.revision), definition: String(row.definition) };
    },
    definition(id: number): string | undefined {
      const row = revision.get(id);
      return row && String(row.definition);
    },
    /** Returns false when an execution of that name exists. */
    insert(started: ExecutionFacts & { revision: number; inputText: string; position: Position }): boolean {
      const { arn, machineArn, name, inputText, startMs, position } = started;
      const text = JSON.stringify(position);
      const id = started.revision;
      return insert.run(arn, machineArn, name, id, inputText, startMs, text, position.dueMs).changes === 1;
    },
    /** Deletes an execution that ended before a time. */
    deleteEnded(arn: string, beforeMs: number): void {
      deleteEnded.run(arn, beforeMs);
    },
    find(arn: string): Execution | undefined {
      const row = find.get(arn);
      return row && fromRow(row);
    },
    /** Returns false when the execution is no longer running. */
    move(arn: string, position: Position): boolean {
      return move.run(JSON.stringify(position), position.dueMs, arn).changes === 1;
    },
    /** Returns false when the execution has already ended. */
    end(arn: string, { status, stopMs, output, error, cause }: Ending): boolean {
      return end.run(status, stopMs, output ?? null, error ?? null, cause ?? null, arn).changes === 1;
    },
    /**
     * Of the executions that are not in progress, all with the earliest due time up to now, in the order of their start.
     * `input` is that of their present state.
     */
    firstDue(nowMs: number, inProgress: InProgress): Pick<Execution, 'arn' | 'input'>[] {
      const found: Pick<Execution, 'arn' | 'input'>[] = [];
      let dueMs = nowMs;
      for (const row of byDue.iterate()) {
        if (Number(row.due_ms) > dueMs) break;
        if (inProgress.has(String(row.arn))) continue;
        dueMs = Number(row.due_ms);
        const { input }: Position = JSON.parse(String(row.position));
        found.push({ arn: String(row.arn), input });
      }
      return found;
    },
    /** The earliest due time of the executions that are not in progress. */
    nextDueMs(inProgress: InProgress): number | undefined {
      for (const row of byDue.iterate()) {
        if (!inProgress.has(String(row.arn))) return Number(row.due_ms);
      }
      return undefined;
    },
    /** Newest first, by stop time or else start time. */
    list(machineArn: string, limit: number): Execution[] {
      return list.all(machineArn, limit).map(fromRow);
    },
  };
}

function fromRow(values: object): Execution {
  // STRICT tables enforce the schema.
  const row = values as Row;
  const input: Json = JSON.parse(row.input);
  return {
    sequence: row.sequence,
    arn: row.arn,
    machineArn: row.machine_arn,
    name: row.name,
    revision: row.revision,
    inputText: row.input,
    input,
    startMs: row.start_ms,
    status: row.status,
    stopMs: row.stop_ms ?? undefined,
    output: row.output ?? undefined,
    error: row.error ?? undefined,
    cause: row.cause ?? undefined,
    position: JSON.parse(row.position),
  };
}
