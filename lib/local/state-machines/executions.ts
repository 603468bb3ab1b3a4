import type { DatabaseSync } from 'node:sqlite';
import type { Runs } from './runs.ts';
import type { Ended, Position } from './step.ts';

/** Times in epoch milliseconds. */
export interface Execution {
  arn: string;
  machineArn: string;
  name: string;
  startMs: number;
  /** As sent: a repeated start must send the same. */
  inputText: string;
  position: Position;
  ending: { status: 'RUNNING' } | (Ended & { stopMs: number });
}

/** `due_ms` is null once the execution has ended. Rows are in the order of the starts. */
const schema = `
  CREATE TABLE IF NOT EXISTS execution (arn TEXT PRIMARY KEY, due_ms INTEGER, execution TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS execution_by_due ON execution (due_ms) WHERE due_ms IS NOT NULL;
  DROP TABLE IF EXISTS sfn_execution;
  DROP TABLE IF EXISTS sfn_revision;`;

/** Executions in SQLite. Every method is one statement and so one transaction. */
export function openExecutions(database: DatabaseSync) {
  database.exec(schema);
  const save = database.prepare(
    `INSERT INTO execution (arn, due_ms, execution) VALUES (?, ?, ?)
     ON CONFLICT (arn) DO UPDATE SET due_ms = excluded.due_ms, execution = excluded.execution`,
  );
  const find = database.prepare('SELECT execution FROM execution WHERE arn = ?');
  const running = database.prepare(
    'SELECT arn, due_ms, execution FROM execution WHERE due_ms IS NOT NULL ORDER BY due_ms, rowid',
  );
  return {
    save(execution: Execution): void {
      const dueMs = execution.ending.status === 'RUNNING' ? execution.position.dueMs : null;
      save.run(execution.arn, dueMs, JSON.stringify(execution));
    },
    find(arn: string): Execution | undefined {
      const row = find.get(arn);
      return row && JSON.parse(String(row.execution));
    },
    /** Of the executions that are not in progress, all with the earliest due time up to now, in the order of their start. */
    firstDue(nowMs: number, inProgress: Pick<Runs, 'has'>): Execution[] {
      const found: Execution[] = [];
      let dueMs = nowMs;
      for (const row of running.iterate()) {
        if (Number(row.due_ms) > dueMs) break;
        if (inProgress.has(String(row.arn))) continue;
        dueMs = Number(row.due_ms);
        found.push(JSON.parse(String(row.execution)));
      }
      return found;
    },
    nextDueMs(inProgress: Pick<Runs, 'has'>): number | undefined {
      for (const row of running.iterate()) if (!inProgress.has(String(row.arn))) return Number(row.due_ms);
      return undefined;
    },
  };
}
