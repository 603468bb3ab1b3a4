import { randomUUID } from 'node:crypto';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { vi } from 'vitest';
import { timerMachineArn } from '../../lib/local/environment.ts';
import { type Fixture, loadTable } from './fixture.ts';
import { type StackAt, startStackAt } from './stack.ts';

/** A stack on what a fixture holds, at the time of its recording: on the engine of the test run, with a table of its own. */
export async function startWith({
  recordedAt,
  items,
  executions,
}: Pick<Fixture, 'recordedAt' | 'items' | 'executions'>): Promise<StackAt> {
  // SDK clients keep their endpoint.
  vi.resetModules();
  const stack = await startStackAt(Date.parse(recordedAt), {
    AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    TABLE_NAME: `upgrade-${randomUUID()}`,
  });
  const stopStack = stack.stop;
  const sfn = new SFNClient();
  // First, because the sweep starts the executions of the subscriptions in the table.
  for (const { name, input } of executions) {
    // It delivers at once, and would find nothing.
    if ((input as { stage: string }).stage === 'outbox') continue;
    const start = { stateMachineArn: timerMachineArn, name, input: JSON.stringify(input) };
    await sfn.send(new StartExecutionCommand(start));
  }
  sfn.destroy();
  await loadTable(stack.tableName, items);
  return Object.assign(stack, {
    stop: async () => {
      const left = await stopStack();
      // The next file of this worker has clients of its own.
      vi.resetModules();
      return left;
    },
  });
}
