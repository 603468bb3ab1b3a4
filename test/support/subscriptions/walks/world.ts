/** A seller with one client, in a table of their own, and the time that passes there. */
import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { handler as deliverOutbox } from '../../../../functions/notices/deliver.ts';
import type { PaymentEvent } from '../../../../functions/payments/settle/gateway-reports.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dynamodb } from '../../../../functions/shared/table/client.ts';
import { queryItems } from '../../../../functions/shared/table/query.ts';
import { subscriptionStore } from '../../../../functions/subscriptions/commands/subscription-store.ts';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import { handler as runStep } from '../../../../functions/subscriptions/run-step.ts';
import { createTable } from '../../../../lib/local/table.ts';
import { MailReader } from '../../notices/mail-reader.ts';
import { newOutboxEntries } from '../../notices/new-entries.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import type { XmlEntry } from '../../statements/bank-files.ts';
import { streamEvent } from '../../table/stream.ts';
import type { Tenant } from '../../tenants.ts';
import { newClient, newPlan, newSeller } from '../requests.ts';
import { inputFor, noonMs } from '../steps.ts';

export interface World {
  readonly seller: Tenant;
  readonly externalId: string;
  /** The ids of the plans, by what is particular about them. */
  readonly plans: Readonly<Record<PlanName, string>>;
  /** Ids of payments that answers named. */
  readonly payments: Set<string>;
  /** Ids of invoices that were open. */
  readonly invoices: Set<string>;
  /** The requests of payments that may be sent again, as they were sent. */
  readonly sent: object[];
  /** Payments about which the gateway reported something. */
  readonly reported: PaymentEvent[];
  /** Entries of bank statements that were sent. */
  readonly bankEntries: XmlEntry[];
  /** How many ids the bank gave. */
  bankIds: number;
  readonly mails: MailReader;
  /** Determines the order of what happens at the same time. */
  readonly order: Seeded;
  readonly startMs: number;
}

export const planNames = ['monthly', 'weekly', 'trial', 'dollars', 'free', 'dear', 'seats'] as const;
export type PlanName = (typeof planNames)[number];

/** Runs `work` in a table of its own, at noon of a day, and drops the table. */
export async function inOwnTable<T>(work: () => Promise<T>): Promise<T> {
  const { TABLE_NAME: former, AWS_ENDPOINT_URL_DYNAMODB: endpoint = '' } = process.env;
  const own = `test-walk-${randomUUID()}`;
  await createTable(endpoint, own);
  process.env.TABLE_NAME = own;
  vi.useFakeTimers({ toFake: ['Date'], now: noonMs });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
    process.env.TABLE_NAME = former;
    await dynamodb.send(new DeleteTableCommand({ TableName: own }));
  }
}

export async function newWorld(settings: Record<string, unknown>, order: Seeded): Promise<World> {
  const seller = await newSeller('none', settings);
  const plans = {
    monthly: await newPlan(seller),
    weekly: await newPlan(seller, { billingCycle: 'weekly', price: 5 }),
    trial: await newPlan(seller, { trialPeriodDays: 14 }),
    dollars: await newPlan(seller, { currency: 'USD' }),
    free: await newPlan(seller, { price: 0 }),
    dear: await newPlan(seller, { price: 19.99 }),
    seats: await newPlan(seller, { price: 4, quantity: { min: 1, max: 5 } }),
  };
  const externalId = await newClient(seller, {
    address: { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE' },
  });
  const known = new Set<string>();
  const mails = new MailReader(seller, externalId, async () => {
    const fresh = await newOutboxEntries(known);
    if (fresh.length > 0) await deliverOutbox(streamEvent(fresh));
  });
  return {
    seller,
    externalId,
    plans,
    payments: new Set(),
    invoices: new Set(),
    sent: [],
    reported: [],
    bankEntries: [],
    bankIds: 0,
    mails,
    order,
    startMs: Date.now(),
  };
}

/** The subscriptions of the client, oldest first, without what else is stored of them. */
export async function subscriptionsOf({ seller, externalId }: World): Promise<Subscription[]> {
  const { applicationId } = seller;
  const items = await queryItems(keys.clientPartition(applicationId, externalId), 'SUB#');
  const ids = items.map(({ subscriptionId }) => String(subscriptionId));
  const { subscriptions } = await subscriptionStore.getWithClient(applicationId, externalId, ids);
  return subscriptions.filter((subscription) => subscription !== undefined);
}

/** Takes the steps that are due until a time, each at its own time where that is in the future. */
export async function runTimers(world: World, untilMs = Date.now()): Promise<void> {
  for (;;) {
    const [first] = (await subscriptionsOf(world))
      .filter(({ timer }) => timer !== undefined && timer.dueAtMs <= untilMs)
      .toSorted((a, b) => (a.timer?.dueAtMs ?? 0) - (b.timer?.dueAtMs ?? 0));
    if (first === undefined) return;
    vi.setSystemTime(Math.max(Date.now(), first.timer?.dueAtMs ?? 0));
    await runStep(inputFor(first));
    await world.mails.read();
  }
}
