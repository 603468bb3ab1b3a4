import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import {
  iso,
  machine,
  machineArn,
  stage,
  startMs,
  task,
} from '../../../../handlers/lib/local/state-machines/stage.ts';
import { timerLoop } from '../../../../handlers/lib/local/state-machines/timer-loop.ts';

const directory = mkdtempSync(join(tmpdir(), 'state-machines-'));
afterAll(() => rmSync(directory, { recursive: true }));

const executionArn = (name: string) => `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`;

/** Runs the child until its second task hangs, kills it with SIGKILL, and returns what it invoked. */
async function runAndKill(path: string): Promise<string[]> {
  const script = join(import.meta.dirname, 'killed.ts');
  const child = spawn(process.execPath, [script, path, String(startMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('hangs')) break;
  }
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  return printed.trim().split('\n');
}

test('after kill -9, waits continue, finished tasks stay finished, and the task in progress runs again', async () => {
  const path = join(directory, 'killed.db');
  expect(await runAndKill(path)).toEqual(['returns', 'hangs']);

  const database = new DatabaseSync(path);
  // Without a new definition: a running execution keeps the one it started with.
  const { machines, calls, advanceTo } = stage({ database });
  expect(machines.nextDueMs()).toBe(startMs);
  await machines.runDue();
  expect(calls).toEqual([{ atMs: startMs, functionName: 'hangs', payload: { from: 'returns' } }]);
  expect(machines.describeExecution(executionArn('works')).status).toBe('SUCCEEDED');

  expect(machines.nextDueMs()).toBe(startMs + dayMs);
  await advanceTo(startMs + 41 * dayMs);
  expect(calls.slice(1).map(({ atMs, payload }) => [atMs, payload])).toEqual(
    [1, 40].map((days) => [startMs + days * dayMs, { days, dueAt: iso(startMs + days * dayMs) }]),
  );
  for (const days of [1, 40]) {
    expect(machines.describeExecution(executionArn(`waits-${days}`)).status).toBe('SUCCEEDED');
  }
  database.close();
});

test('timers missed while no process ran fire in order at the next start', async () => {
  const database = new DatabaseSync(':memory:');
  const before = stage({ database });
  before.define(timerLoop);
  for (const days of [3, 1, 2]) before.start({ days, dueAt: iso(startMs + days * dayMs) });
  await before.machines.idle();
  before.machines.close();

  const after = stage({ database, nowMs: startMs + 10 * dayMs });
  expect(after.machines.nextDueMs()).toBe(startMs + dayMs);
  await after.machines.runDue();
  expect(after.calls.map(({ payload }) => (payload as { days: number }).days)).toEqual([1, 2, 3]);
});

test('a task that ends after close() is not recorded, so that the next instance runs it again', async () => {
  const database = new DatabaseSync(':memory:');
  const before = stage({ database, invoke: () => before.machines.close() });
  before.define(machine({ A: task() }));
  const { arn } = before.start();
  await before.machines.idle();
  expect(before.machines.describeExecution(arn).status).toBe('RUNNING');

  const after = stage({ database });
  await after.machines.runDue();
  expect(after.calls).toHaveLength(1);
  expect(after.machines.describeExecution(arn).status).toBe('SUCCEEDED');
});
