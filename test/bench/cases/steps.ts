import { randomUUID } from 'node:crypto';
import { handler as deliverOutbox } from '../../../functions/notices/deliver.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { dueShards, type Key } from '../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import { queryItems } from '../../../functions/shared/table/query.ts';
import { getItem } from '../../../functions/shared/table/table.ts';
import type { Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import { handler as takeStep } from '../../../functions/subscriptions/run-step.ts';
import { type BegunState, type Call, newSeller, putItem, type Tenant } from '../../support/call.ts';
import { subscriptionRecord } from '../../support/subscriptions/records.ts';
import { streamEvent } from '../../support/table/stream.ts';
import { type Case, row } from './case.ts';
import { deployedFonts } from './deployed-fonts.ts';
import { daysAgo, inputOf, storedSubscription } from './past.ts';

/** A subscription that is `days` days old. @param stepsAt how many days ago its steps ran. */
async function aged(state: BegunState, days: number, stepsAt: readonly number[] = []): Promise<Subscription> {
  const seller = await newSeller();
  const one = await daysAgo(days, () => seller.subscribed(state));
  await daysAgo(days, () => emptied(seller, one));
  for (const ago of stepsAt) {
    await daysAgo(ago, async () => {
      await takeStep(inputOf(await storedSubscription(seller, one)));
      await emptied(seller, one);
    });
  }
  return storedSubscription(seller, one);
}

/** Sends the mails, which in a deployment are sent long before the next step is due. */
async function emptied(seller: Tenant, one: { id: string; externalId: string }): Promise<void> {
  await deliverOutbox(await newEntriesOf(seller, one));
}

/** The event with which the stream hands over the outbox of a subscription. */
async function newEntriesOf(seller: Tenant, one: { id: string; externalId: string }) {
  const { subscriptionId } = await storedSubscription(seller, one);
  const { pk, sk } = keys.outbox(subscriptionId, '');
  return streamEvent((await queryItems(pk, sk, Number.POSITIVE_INFINITY)) as unknown as Key[]);
}

const due =
  (...of: Parameters<typeof aged>) =>
  async (): Promise<Call> => ({ body: inputOf(await aged(...of)) });

/** The timer was replaced, and nothing is due. */
async function orphan(): Promise<Call> {
  const input = inputOf(await aged('active', 10));
  return { body: { ...input, version: input.version - 1 } };
}

/** The texts of an invoice. Those of a new one differ from run to run, and so does the size of its PDF. */
const texts = {
  number: 'INV-7K3M9XQP-1',
  paymentReference: 'SUB-7K3M9XQP',
  customer: { name: 'Ann Example', email: 'ann@example.com' },
  issuedAtMs: Date.UTC(2026, 10, 21),
  dueAtMs: Date.UTC(2026, 10, 28),
};

/** The outbox of a new subscription. */
async function firstMail(): Promise<Call> {
  await deployedFonts();
  const seller = await newSeller();
  const one = await seller.subscribed();
  const { subscriptionId } = await storedSubscription(seller, one);
  const key = keys.invoice(subscriptionId, 1);
  await putItem({ ...(await getItem(key)), ...key, ...texts });
  return { body: await newEntriesOf(seller, one) };
}

// A month paid on its first day: its renewal invoice is due 7 days before its end, reminders 0, 2, 7 and 14 days after.
const renewed = 7 + 0.1;
const ended = 0.1;

const steps: readonly Case[] = [
  row('subscriptions.run-step', 'renewal_invoice', due('active', 25)),
  row('subscriptions.run-step', 'an orphan', orphan),
  row('notices.deliver', '1 mail', firstMail),
  row('subscriptions.run-step', 'trial_reminder', due('trialing', 11.5)),
  row('subscriptions.run-step', 'trial_end', due('trialing', 14.5, [3])),
  row('subscriptions.run-step', 'payment_lapse', due('pending', 21.5, [6])),
  row('subscriptions.run-step', 'term_end and first reminder', due('active', 31.5 + ended, [renewed])),
  row('subscriptions.run-step', 'dunning_reminder', due('active', 34, [8, 2.9])),
  row('subscriptions.run-step', 'dunning_end', due('active', 53, [26, 21.9, 19.9, 14.9, 7.9])),
];

/** Overdue entries of subscriptions that no longer exist, spread over the shards. */
async function waitingEntries(count: number): Promise<void> {
  const dueAtMs = Date.now() - dayMs / 24;
  for (let i = 0; i < count; i += 1) {
    const { subscriptionId, externalId } = subscriptionRecord();
    const entryId = `close#${randomUUID()}`;
    await putItem({
      ...keys.outbox(subscriptionId, entryId),
      entryId,
      applicationId: 'app_none',
      externalId,
      subscriptionId,
      kind: 'mail',
      template: 'invoice',
      invoiceN: 1,
      to: 'ann@example.com',
      facts: {},
      createdAtMs: dueAtMs,
      leasedUntilMs: 0,
      attempts: 0,
      possibleCopies: 0,
      due: keys.outboxPartition(i % dueShards),
      dueAt: new Date(dueAtMs).toISOString(),
    });
  }
}

/** Subscriptions whose timers are due within the horizon, spread over the shards; none has an execution. */
async function waitingTimers(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const dueAtMs = Date.now() + dayMs;
    const timer = { step: 'term_end', dueAtMs } as const;
    const { subscriptionId, ...subscription } = subscriptionRecord({ timer, timerVersion: 1 });
    await putItem({
      ...keys.subscription(subscription.applicationId, subscription.externalId, subscriptionId),
      ...subscription,
      subscriptionId,
      statusPosition: `2#${subscriptionId}`,
      due: keys.timerPartition(i % dueShards),
      dueAt: new Date(dueAtMs).toISOString(),
    });
  }
}

const after = (work: Promise<void>) => work.then(() => undefined);

/** Each in a table of its own, because these timers find the records of other rows too. */
const timers: readonly Case[] = [
  { ...row('notices.drain', 'nothing waits', () => undefined), alone: true },
  { ...row('notices.drain', '1,000 wait', () => after(waitingEntries(1_000))), alone: true },
  { ...row('subscriptions.sweep-timers', 'nothing waits', () => undefined), alone: true },
  { ...row('subscriptions.sweep-timers', '1,000 wait', () => after(waitingTimers(1_000))), alone: true },
];

export const stepCases: readonly Case[] = [...steps, ...timers];
