import { randomUUID } from 'node:crypto';
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { vi } from 'vitest';
import { timerMachineArn } from '../../lib/local/environment.ts';
import { type Fixture, loadTable } from './fixture.ts';
import { type StackAt, startStackAt } from './stack.ts';

type Recorded = Pick<Fixture, 'recordedAt' | 'items' | 'executions'>;

/**
 * Modules of their own for the stacks of a file, which run one after the other: the modules of the worker keep its
 * deployment key and its endpoints. To load them again for each stack would take most of the time of a test.
 *
 * What these cache is alike in all stacks of a file: the deployment key, the keys at Stripe, and what no test changes.
 */
export async function ownModules(): Promise<void> {
  vi.resetModules();
  await import('../support/table-connection.ts');
  const { ses } = await import('../../functions/shared/mail/mailer.ts');
  const { sfn } = await import('../../functions/shared/lambda/executions.ts');
  const { secretsManager } = await import('../../functions/subscriptions/stripe/keys.ts');
  // A client keeps the first endpoint that it finds in the environment. Each stack has others.
  for (const [service, { config }] of Object.entries({
    SES: ses,
    SFN: sfn,
    SECRETS_MANAGER: secretsManager,
  })) {
    const endpoint = async () => ({ url: new URL(process.env[`AWS_ENDPOINT_URL_${service}`] ?? '') });
    Object.assign(config, { endpoint, isCustomEndpoint: true });
  }
}

/** The next file of this worker has modules of its own. */
export function leaveModules(): void {
  vi.resetModules();
}

/**
 * A stack on what a fixture holds, at the time of its recording: on the engine of the test run, with a table of its
 * own. Stacks that run one after the other share the modules between {@link ownModules} and {@link leaveModules}.
 */
export async function startWith({ recordedAt, items, executions }: Recorded): Promise<StackAt> {
  const stack = await startStackAt(Date.parse(recordedAt), {
    AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    TABLE_NAME: `upgrade-${randomUUID()}`,
  });
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
  return stack;
}
