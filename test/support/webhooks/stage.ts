import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Audience } from '../../../functions/shared/contract/events.ts';
import type { Key } from '../../../functions/shared/contract/keys.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { eventWrites, type NewEvent } from '../../../functions/shared/events/events-write.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { transactWrite } from '../../../functions/shared/table/table.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { deliveryStore } from '../../../functions/webhooks/deliveries/store.ts';
import type { Webhook } from '../../../functions/webhooks/endpoints/webhook.ts';
import { eventId } from '../../../functions/webhooks/events/event-id.ts';
import {
  deliveryTask,
  firstAttempts,
  laterAttempts,
} from '../../../lib/deployment/state-machines/webhook-delivery.ts';
import { invokeTimer } from '../../../lib/local/functions.ts';
import { listenEndpoint } from '../../../lib/local/listen.ts';
import { stateMachinesEndpoint } from '../../../lib/local/state-machines/endpoint.ts';
import { StateMachines } from '../../../lib/local/state-machines/state-machines.ts';
import { createTable } from '../../../lib/local/table.ts';
import { asFunction } from '../granted.ts';
import { executionsOf, machineArnAt } from '../state-machines.ts';
import { streamEvent } from '../table/stream.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { storedWebhook } from './stored-webhook.ts';

/** Webhooks with a table, state machines and a clock of their own. Only `Date` is faked. */
export interface WebhookStage {
  readonly applicationId: string;
  /** Starts a receiver. */
  receiver(): Promise<Receiver>;
  /** A webhook of the application, which delivers to a receiver, or to an address. */
  webhook(to: Receiver | string, more?: Partial<Webhook>): Promise<Webhook>;
  /** Records events as a change of the application does. @returns the key of the group and the ids of the events. */
  record(
    events: readonly NewEvent[],
    more?: { audience?: Audience },
  ): Promise<{ key: Key; eventIds: string[] }>;
  /** Hands records of the stream to the consumer. @returns the sequence numbers that failed. */
  fanOut(recordKeys: readonly Key[]): Promise<string[]>;
  /** Runs the executions that are due now. */
  settle(): Promise<void>;
  /** Moves the clock, running executions on the way. */
  advanceBy(ms: number): Promise<void>;
  /** Runs the sweep, and the executions that it starts. */
  sweep(): Promise<void>;
  delivery: typeof deliveryStore.get;
  executions(): { name: string; status: string }[];
  stop(): Promise<void>;
}

export const anEvent = (sequence = 1): NewEvent => ({
  type: 'payment.received',
  sequence,
  data: { link: { name: 'Ä & <b>', sequence } },
});

/** @param startMs the first time of the clock. */
export async function webhookStage(startMs = Date.now()): Promise<WebhookStage> {
  const database = new DatabaseSync(':memory:');
  const machines = new StateMachines({
    database,
    nowMs: () => Date.now(),
    invoke: asDeployed,
    random: () => 1,
  });
  const endpoint = await listenEndpoint(stateMachinesEndpoint(machines));
  const run = randomUUID().slice(0, 8);
  const first = machineArnAt(endpoint.url, `${run}-first`);
  const later = machineArnAt(endpoint.url, `${run}-later`);
  machines.define(first, firstAttempts(deliveryTask));
  machines.define(later, laterAttempts(deliveryTask));
  vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  const variables = {
    TABLE_NAME: `test-webhooks-${randomUUID()}`,
    WEBHOOK_DELIVERY_MACHINE_ARN: first,
    WEBHOOK_RETRY_MACHINE_ARN: later,
    WEBHOOK_LOOPBACK: 'true',
  };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '', variables.TABLE_NAME);
  const applicationId = newId('app', startMs);
  const servers: { close(): unknown; closeAllConnections(): unknown }[] = [];

  return {
    applicationId,
    async receiver() {
      const { server, receiver } = await startReceiver();
      servers.push(server);
      return receiver;
    },
    async webhook(to, more = {}) {
      return typeof to === 'string'
        ? storedWebhook({ applicationId, url: to }, more)
        : storedWebhook({ applicationId, url: to.url, secret: to.secret }, more);
    },
    async record(events, more = {}) {
      const writes = eventWrites({ applicationId, nowMs: Date.now(), ...more }, events);
      await transactWrite(writes);
      const groupId = String(writes[0]?.Put.Item.groupId);
      return { key: keys.events(groupId), eventIds: events.map((_, i) => eventId(groupId, i)) };
    },
    async fanOut(recordKeys) {
      const { batchItemFailures } = (await asDeployed('webhooks.fan-out', streamEvent(recordKeys))) as {
        batchItemFailures: { itemIdentifier: string }[];
      };
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },
    settle: () => machines.runDue(),
    async advanceBy(ms) {
      const targetMs = Date.now() + ms;
      await machines.runDue();
      for (let dueMs = machines.nextDueMs(); dueMs !== undefined && dueMs <= targetMs; ) {
        vi.setSystemTime(Math.max(dueMs, Date.now()));
        await machines.runDue();
        dueMs = machines.nextDueMs();
      }
      vi.setSystemTime(targetMs);
    },
    async sweep() {
      await asDeployed('webhooks.sweep-deliveries', {});
      await machines.runDue();
    },
    delivery: deliveryStore.get,
    executions: () =>
      executionsOf(database, later)
        .toReversed()
        .map(({ name, ending: { status } }) => ({ name, status })),
    async stop() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
      machines.close();
      await machines.runs.idle();
      await endpoint.close();
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      vi.useRealTimers();
    },
  };
}

/** Runs a timer's handler with its grants only. */
async function asDeployed(id: string, payload: unknown): Promise<unknown> {
  const grants = registeredTimers().find((timer) => timer.id === id)?.timer.grants;
  return asFunction(id, [grants ?? {}], () => invokeTimer(id, payload));
}
