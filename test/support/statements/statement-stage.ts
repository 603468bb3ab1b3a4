import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { receivePayment } from '../../../functions/payments/settle/receive.ts';
import { importParts } from '../../../functions/statements/import/import-parts.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { bankImport, importTask } from '../../../lib/deployment/state-machines/bank-import.ts';
import { invokeTimer } from '../../../lib/local/functions.ts';
import { listenEndpoint } from '../../../lib/local/listen.ts';
import { stateMachinesEndpoint } from '../../../lib/local/state-machines/endpoint.ts';
import { StateMachines } from '../../../lib/local/state-machines/state-machines.ts';
import { type Answered, call, type Tenant } from '../call.ts';
import { asFunction } from '../granted.ts';
import { executionsOf, machineArnAt } from '../state-machines.ts';
import { asFile } from './bank-files.ts';

export type Receive = typeof receivePayment;

/** The import of bank statements with a state machine of its own. */
export interface StatementStage {
  /** Runs the executions to their end. */
  settle(): Promise<void>;
  /** In the order they were started. */
  executions(): { name: string; status: string }[];
  stop(): Promise<void>;
}

/**
 * @param task replaces the task, which runs under its grants.
 */
export async function statementStage(task = asDeployed): Promise<StatementStage> {
  const database = new DatabaseSync(':memory:');
  const machines = new StateMachines({
    database,
    nowMs: () => Date.now(),
    invoke: task,
    // No retry waits.
    random: () => 0,
  });
  const endpoint = await listenEndpoint(stateMachinesEndpoint(machines));
  const machineArn = machineArnAt(endpoint.url, randomUUID().slice(0, 8));
  machines.define(machineArn, bankImport(importTask));
  const before = process.env.BANK_IMPORT_MACHINE_ARN;
  process.env.BANK_IMPORT_MACHINE_ARN = machineArn;
  return {
    async settle() {
      do await machines.runDue();
      while ((machines.nextDueMs() ?? Number.POSITIVE_INFINITY) <= Date.now());
    },
    executions: () =>
      executionsOf(database, machineArn).map(({ name, ending: { status } }) => ({ name, status })),
    async stop() {
      machines.close();
      await machines.runs.idle();
      await endpoint.close();
      if (before === undefined) delete process.env.BANK_IMPORT_MACHINE_ARN;
      else process.env.BANK_IMPORT_MACHINE_ARN = before;
    },
  };
}

/** Runs the task with its grants only. */
async function asDeployed(id: string, payload: unknown): Promise<unknown> {
  const grants = registeredTimers().find((timer) => timer.id === id)?.timer.grants;
  return asFunction(id, [grants ?? {}], () => invokeTimer(id, payload));
}

/** The task with another way to record payments, which can fail. */
export const withReceive = (receive: Receive) => (_id: string, payload: unknown) =>
  importParts(payload as { applicationId: string; statementId: string }, receive);

/** Sends a file as CAMT.053, or as `more` says. */
export function sendFile(seller: Tenant, content: string | Uint8Array, more: object = {}): Promise<Answered> {
  const body = { format: 'camt.053', file: asFile(content), ...more };
  return call('statements.create', { headers: seller.headers, body });
}

export function confirm(seller: Tenant, id: string, entries?: readonly object[]): Promise<Answered> {
  const request = { headers: seller.headers, params: { id }, body: entries && { entries } };
  return call('statements.confirm', request);
}

export function readStatement(
  seller: Tenant,
  id: string,
  query: Record<string, string> = {},
): Promise<Answered> {
  return call('statements.read', { headers: seller.headers, params: { id }, query });
}
