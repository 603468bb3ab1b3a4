/** Two sellers with their clients, in a table of their own, and the time that passes there. */

import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { handler as deliverOutbox } from '../../../../functions/notices/deliver.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dynamodb } from '../../../../functions/shared/table/client.ts';
import { queryItems } from '../../../../functions/shared/table/query.ts';
import { readSubscription } from '../../../../functions/subscriptions/commands/subscription-queries.ts';
import type { Subscription } from '../../../../functions/subscriptions/record/subscription.ts';
import { handler as runStep } from '../../../../functions/subscriptions/run-step.ts';
import { createTable } from '../../../../lib/local/table.ts';
import { inputFor, newSeller, noonMs, type Tenant } from '../../call.ts';
import { MailReader } from '../../notices/mail-reader.ts';
import { newOutboxEntries } from '../../notices/new-entries.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import type { StripeApi } from '../../payments/stripe-api.ts';
import { streamEvent } from '../../table/stream.ts';
import type { FileEntry } from './bank-entries.ts';
import { apiVersions, StripeAccount } from './stripe.ts';

/** A seller that walks, with their clients. */
export interface Shop {
  readonly seller: Tenant;
  readonly clients: readonly Client[];
  /** The ids of the plans, by what is particular about them. */
  readonly plans: Readonly<Record<PlanName, string>>;
  /** Ids of payments that answers named. */
  readonly payments: Set<string>;
  /** Ids of invoices that were open. */
  readonly invoices: Set<string>;
  /** The requests of payments that may be sent again, as they were sent. */
  readonly sent: object[];
  readonly stripe: StripeAccount;
  /** Entries of bank statements that were sent. */
  readonly bankEntries: FileEntry[];
  /** How many ids the bank gave. */
  bankIds: number;
}

export interface Client {
  readonly externalId: string;
  /** The plan that the client takes most often. It decides the currency. */
  readonly usual: PlanName;
  readonly mails: MailReader;
}

/** Two sellers in one table. The first client of each has the same id as that of the other. */
export interface World {
  readonly shops: readonly Shop[];
  /** Determines the order of what happens at the same time. */
  readonly order: Seeded;
  readonly startMs: number;
  /** Delivers the mails of all sellers. */
  readonly deliverMails: () => Promise<void>;
}

export const planNames = ['monthly', 'weekly', 'trial', 'dollars', 'free', 'dear', 'seats'] as const;
type PlanName = (typeof planNames)[number];

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

/** The clients of each seller, by the plan that they take most often. */
const usualPlans: readonly (readonly PlanName[])[] = [
  ['monthly', 'dollars'],
  ['monthly', 'dear'],
];

/** @param settingsOf the settings of a seller. */
export async function newWorld(
  stripe: StripeApi,
  settingsOf: (random: Seeded) => Record<string, unknown>,
  random: Seeded,
  order: Seeded,
): Promise<World> {
  const shops: Shop[] = [];
  for (const usual of usualPlans) shops.push(await newShop(stripe, settingsOf(random), usual, random));
  const known = new Set<string>();
  const deliverMails = async () => {
    const fresh = await newOutboxEntries(known);
    if (fresh.length > 0) await deliverOutbox(streamEvent(fresh));
  };
  return { shops, order, startMs: Date.now(), deliverMails };
}

async function newShop(
  stripe: StripeApi,
  settings: Record<string, unknown>,
  usual: readonly PlanName[],
  random: Seeded,
): Promise<Shop> {
  const seller = await newSeller('none', settings);
  const plans = {
    monthly: await seller.newPlan(),
    weekly: await seller.newPlan({ billingCycle: 'weekly', price: 5 }),
    trial: await seller.newPlan({ trialPeriodDays: 14 }),
    dollars: await seller.newPlan({ currency: 'USD' }),
    free: await seller.newPlan({ price: 0 }),
    dear: await seller.newPlan({ price: 19.99 }),
    seats: await seller.newPlan({ price: 4, quantity: { min: 1, max: 5 } }),
  };
  const clients: Client[] = [];
  for (const [i, plan] of usual.entries()) {
    const externalId = await seller.newClient({
      externalId: `client-${i + 1}`,
      email: `${randomUUID()}@example.com`,
      address: { line1: 'Hauptstraße 1', city: 'Berlin', country: 'DE' },
    });
    clients.push({ externalId, usual: plan, mails: new MailReader(seller, externalId, async () => {}) });
  }
  return {
    seller,
    clients,
    plans,
    payments: new Set(),
    invoices: new Set(),
    sent: [],
    stripe: new StripeAccount(stripe, seller.applicationId, random.pick(apiVersions)),
    bankEntries: [],
    bankIds: 0,
  };
}

/** Delivers the mails that are due, and reads them. */
export async function readMails({ shops, deliverMails }: World): Promise<void> {
  await deliverMails();
  for (const { mails } of shops.flatMap(({ clients }) => clients)) await mails.read();
}

/** The subscriptions of all clients, those of each oldest first, without what else is stored of them. */
export async function allSubscriptions({ shops }: World): Promise<Subscription[]> {
  const partitions = shops.flatMap(({ seller: { applicationId }, clients }) =>
    clients.map(({ externalId }) => keys.clientPartition(applicationId, externalId)),
  );
  const items = await Promise.all(partitions.map((partition) => queryItems(partition, 'SUB#')));
  return items.flat().map((item) => readSubscription(item));
}

/** Takes the steps that are due until a time, each at its own time where that is in the future. */
export async function runTimers(world: World, untilMs = Date.now()): Promise<void> {
  for (;;) {
    const [first] = (await allSubscriptions(world))
      .filter(({ timer }) => timer !== undefined && timer.dueAtMs <= untilMs)
      .toSorted((a, b) => (a.timer?.dueAtMs ?? 0) - (b.timer?.dueAtMs ?? 0));
    if (first === undefined) return;
    vi.setSystemTime(Math.max(Date.now(), first.timer?.dueAtMs ?? 0));
    await runStep(inputFor(first));
    await readMails(world);
  }
}
