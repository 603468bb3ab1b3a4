import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startStack } from '../../lib/local/stack.ts';
import { openState } from '../../lib/local/state.ts';
import { subscriptionClient } from '../support/subscriptions/stack.ts';

/** The secret of the deployment in every fixture. It protects nothing. */
const deploymentKey = 'the-deployment-key-of-the-fixtures-protects-nothing';
/** Keys of Stripe that no account has. */
const stripe = { STRIPE_SECRET_KEY: 'sk_test_fixture', STRIPE_WEBHOOK_SECRET: 'whsec_fixture' };

/** An execution of the state machine that waits. */
export interface WaitingExecution {
  name: string;
  /** The input of the state that it waits in, which the next task receives. */
  input: unknown;
}

export interface StackAt extends ReturnType<typeof subscriptionClient> {
  tableName: string;
  /** Stops the stack. @returns the executions that wait. */
  stop(): Promise<WaitingExecution[]>;
}

/**
 * Starts a local stack in this process, with the deployment key of the fixtures and a clock that begins at a time.
 *
 * @param env variables of the stack: an engine and a table, or none for an engine of its own.
 */
export async function startStackAt(nowMs: number, env: Record<string, string> = {}): Promise<StackAt> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vouchsafe-upgrade-'));
  const state = openState(dataDir);
  state.set('deploymentKey', deploymentKey);
  state.set('clock', { offsetMs: nowMs - Date.now(), readMs: nowMs });
  state.close();
  const stack = await startStack({ port: 0, dataDir, env: { ...stripe, ...env }, log: () => undefined });
  return {
    ...subscriptionClient(stack.url),
    tableName: process.env.TABLE_NAME ?? '',
    stop: async () => {
      await stack.stop();
      const database = new DatabaseSync(join(dataDir, 'local.sqlite'));
      const rows = database
        .prepare("SELECT name, position FROM sfn_execution WHERE status = 'RUNNING' ORDER BY sequence")
        .all();
      database.close();
      rmSync(dataDir, { recursive: true, force: true });
      return rows.map(({ name, position }) => ({
        name: String(name),
        input: JSON.parse(String(position)).input,
      }));
    },
  };
}
