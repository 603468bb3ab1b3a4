import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import type { Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import { type Brought, deliverOutboxOf, good, step, type Tenant } from '../call.ts';
import { mailsTo, type ReadMail } from '../mail/mailbox.ts';
import { clientOf, type One, type StoredSubscription, storedSubscription } from './stored-state.ts';

/** Courses of a subscription in which only time passes, and for how many days each is followed. */
export const lives = {
  'a trial that nobody pays': { days: 60, begin: (seller: Tenant) => seller.brought('trialing') },
  'a trial that ends with the period': {
    days: 60,
    begin: async (seller: Tenant) => {
      const one = await seller.brought('trialing');
      good(await seller.act('cancel', one.id, { atPeriodEnd: true }));
      return one;
    },
  },
  'a first payment that never comes': { days: 60, begin: (seller: Tenant) => seller.brought('pending') },
  'a renewal that nobody pays': { days: 90, begin: (seller: Tenant) => seller.brought('active') },
  'a term without a renewal': {
    days: 90,
    begin: async (seller: Tenant): Promise<Brought> => {
      const externalId = await seller.newClient();
      const { subscription } = good(await seller.subscribe({ body: { externalId, autoRenew: false } }));
      good(await seller.act('activate', subscription._id));
      return { id: subscription._id, externalId };
    },
  },
  'a pause that ends by itself': {
    days: 120,
    begin: async (seller: Tenant) => {
      const one = await seller.brought('active');
      const resumesAt = new Date(Date.now() + 20 * dayMs).toISOString();
      good(await seller.act('pause', one.id, { resumesAt }));
      return one;
    },
  },
} as const;
export type Life = keyof typeof lives;
export const lifeNames = Object.keys(lives) as Life[];

/** Runs every step until a time, each when it is due. @param take runs the step; once by default. */
export async function liveUntil(
  untilMs: number,
  read: () => Promise<Subscription>,
  take: (subscription: Subscription) => Promise<unknown> = (subscription) => step(subscription),
): Promise<void> {
  for (let steps = 0; steps < 50; steps += 1) {
    const current = await read();
    if (current.timer === undefined || current.timer.dueAtMs > untilMs) break;
    vi.setSystemTime(Math.max(Date.now(), current.timer.dueAtMs));
    await take(current);
  }
  vi.setSystemTime(untilMs);
}

/** Runs every step of a subscription until a time, each when it is due. */
export const stepsUntil = ({ seller, externalId, id }: One, untilMs: number): Promise<void> =>
  liveUntil(untilMs, () => seller.stateOf(externalId, id));

/** Follows a course from its beginning to its end. @returns the final state and the mails. */
export async function runCourse(
  seller: Tenant,
  life: Life,
  startMs: number,
  take?: (subscription: Subscription) => Promise<unknown>,
): Promise<{ found: StoredSubscription; mails: ReadMail[] }> {
  vi.setSystemTime(startMs);
  const { externalId } = await lives[life].begin(seller);
  const read = () => seller.stateOf(externalId);
  await deliverOutboxOf(await read());
  await liveUntil(startMs + lives[life].days * dayMs, read, take);
  const client = await clientOf(seller, externalId);
  return { found: await storedSubscription(seller, externalId), mails: await mailsTo(client?.email ?? '') };
}

/** The part of the final state that does not depend on when and how often the steps ran. */
export function comparableState({ subscription, invoices, timeline }: StoredSubscription): unknown {
  const { plan, openInvoices, ...rest } = subscription;
  const own = ['subscriptionId', 'applicationId', 'externalId', 'referenceNumber'];
  const counted = ['updatedAtMs', 'revision', 'timerVersion'];
  const same = Object.entries(rest).filter(([name]) => ![...own, ...counted].includes(name));
  return {
    ...Object.fromEntries(same),
    price: plan.priceMinor,
    open: openInvoices.map(({ n }) => n),
    invoices: invoices.map(({ n, status, dueAtMs, periodStartMs, periodEndMs, paidAtMs, closedAtMs }) => ({
      n,
      status,
      dueAtMs,
      periodStartMs,
      periodEndMs,
      paidAtMs,
      closedAtMs,
    })),
    timeline: timeline.map(({ event, atMs, from, to }) => ({ event, atMs, from, to })),
  };
}

/** The subjects of mails, sorted. */
export const subjectsOf = (mails: readonly ReadMail[]) =>
  mails.map(({ subject }) => subject.replaceAll(/(SUB|INV)-[0-9A-Z]{8}/g, '$1')).toSorted();
