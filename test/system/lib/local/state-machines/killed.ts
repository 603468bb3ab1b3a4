/**
 * A process that runs state machines until it is killed: `node killed.ts <database> <now>`.
 *
 * Prints a line for each invocation, and `armed` when all executions wait. A task with `hangs` never returns.
 */
import { DatabaseSync } from 'node:sqlite';
import { StateMachines } from '../../../../../lib/local/state-machines/state-machines.ts';
import { iso, machine, machineArn, task } from '../../../../handlers/lib/local/state-machines/stage.ts';
import { timerLoop } from '../../../../handlers/lib/local/state-machines/timer-loop.ts';

const [path = '', now = ''] = process.argv.slice(2);
const database = new DatabaseSync(path);
database.exec('PRAGMA journal_mode = WAL');
const nowMs = Number(now);

const machines = new StateMachines({
  database,
  nowMs: () => nowMs,
  invoke: async (functionName) => {
    process.stdout.write(`${functionName}\n`);
    return functionName === 'hangs' ? new Promise(() => {}) : { from: functionName };
  },
});

machines.define({ arn: machineArn, definition: JSON.stringify(timerLoop) });
for (const days of [1, 40]) {
  const input = JSON.stringify({ days, dueAt: iso(nowMs + days * 86_400_000) });
  machines.startExecution({ machineArn, name: `waits-${days}`, input });
}
await machines.idle();

const invoke = (name: string) => ({ Arguments: { FunctionName: name, Payload: '{% $states.input %}' } });
const two = machine({
  First: task({
    ...invoke('returns'),
    End: undefined,
    Next: 'Second',
    Output: '{% $states.result.Payload %}',
  }),
  Second: task(invoke('hangs')),
});
machines.define({ arn: machineArn, definition: JSON.stringify(two) });
machines.startExecution({ machineArn, name: 'works', input: '{}' });

// Keeps the process alive.
setInterval(() => {}, 1000);
