import type { Client } from '../../../functions/clients/client.ts';
import { clientStore, readClient } from '../../../functions/clients/store.ts';
import type { Invoice } from '../../../functions/invoices/invoice.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../functions/shared/table/query.ts';
import { batchGetItems, type Item } from '../../../functions/shared/table/table.ts';
import { readSubscription } from '../../../functions/subscriptions/commands/subscription-queries.ts';
import type { OutboxEntry } from '../../../functions/subscriptions/record/outbox-entry.ts';
import { runningStatuses, type Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import type { TimelineEntry } from '../../../functions/subscriptions/record/timeline-entry.ts';
import type { Tenant } from '../call.ts';
import { expectMirrored, writtenEvents } from './events.ts';
import { faultsOfAmounts, payOutsOf } from './walks/books.ts';

/** A subscription with its invoices, timeline and outbox, read directly from the table. */
export interface StoredSubscription {
  subscription: Subscription;
  invoices: Invoice[];
  timeline: TimelineEntry[];
  outbox: OutboxEntry[];
}

type Seller = Pick<Tenant, 'applicationId'>;

/** Oldest first. */
const subscriptionsAmong = (items: readonly Item[]): Subscription[] =>
  items.filter(({ sk }) => sk.startsWith('SUB#')).map(readSubscription);

/** Every item of a client, including those of its subscriptions. */
export async function itemsOf({ applicationId }: Seller, externalId: string): Promise<Item[]> {
  const own = await queryItems(keys.clientPartition(applicationId, externalId));
  const others = await Promise.all(
    subscriptionsAmong(own).map(({ subscriptionId }) =>
      queryItems(keys.subscriptionPartition(subscriptionId)),
    ),
  );
  return [...own, ...others.flat()];
}

/** The subscription with an id, or the newest one of a client. */
export async function storedSubscription(
  seller: Seller,
  externalId: string,
  id?: string,
): Promise<StoredSubscription> {
  const all = await storedSubscriptions(seller, externalId);
  const match = id === undefined ? all.at(-1) : all.find((one) => one.subscription.subscriptionId === id);
  if (match === undefined) throw new Error('There is no such subscription');
  return match;
}

/** One subscription of a client. */
export interface One {
  seller: Tenant;
  externalId: string;
  id: string;
}

export const stored = ({ seller, externalId, id }: One): Promise<StoredSubscription> =>
  storedSubscription(seller, externalId, id);

/** The names of all mails about a subscription. */
export const templatesOf = async (one: One) =>
  (await stored(one)).outbox.flatMap((entry) => (entry.kind === 'mail' ? [entry.template] : []));

/** The credit of a client in EUR, in minor units. */
export const creditOf = async ({ seller, externalId }: Omit<One, 'id'>): Promise<number> =>
  (await clientOf(seller, externalId))?.credit?.EUR ?? 0;

/** All subscriptions of a client, oldest first. */
export async function storedSubscriptions(seller: Seller, externalId: string): Promise<StoredSubscription[]> {
  return (await storedClient(seller, externalId)).subscriptions;
}

/** A client with all that is stored of them. */
export async function storedClient(
  seller: Seller,
  externalId: string,
): Promise<{
  client: Client | undefined;
  creditNotes: Item[];
  journal: Item[];
  subscriptions: StoredSubscription[];
}> {
  const items = await itemsOf(seller, externalId);
  const client = items.find(({ sk }) => sk === keys.client(seller.applicationId, externalId).sk);
  const stored = subscriptionsAmong(items).map((subscription) => {
    const related = items.filter(({ pk }) => pk === keys.subscriptionPartition(subscription.subscriptionId));
    const withPrefix = (prefix: string) => related.filter(({ sk }) => sk.startsWith(prefix)) as unknown[];
    return {
      subscription,
      invoices: withPrefix('INVOICE#') as Invoice[],
      timeline: withPrefix('TIMELINE#') as TimelineEntry[],
      outbox: withPrefix('OUTBOX#') as OutboxEntry[],
    };
  });
  const creditNotes = items.filter(({ sk }) => sk.startsWith('CREDITNOTE#'));
  const journal = items.filter(({ sk, listed }) => sk.startsWith('TIMELINE#') && listed !== undefined);
  return { client: client && readClient(client), creditNotes, journal, subscriptions: stored };
}

export const clientOf = ({ applicationId }: Seller, externalId: string): Promise<Client | undefined> =>
  clientStore.get(applicationId, externalId);

/** Checks the invariants of clients, which hold after any sequence of requests and steps. Those who share payments are checked together. */
export async function expectSound(seller: Seller, ...externalIds: readonly string[]): Promise<void> {
  const clients = await Promise.all(externalIds.map((externalId) => storedClient(seller, externalId)));
  const events = await writtenEvents(seller.applicationId);
  for (const { client, subscriptions: all } of clients) {
    const running = all.filter(({ subscription: { status } }) => runningStatuses.includes(status));
    const pending = all.filter(({ subscription: { status } }) => status === 'pending');
    expect(running.length, 'running').toBeLessThanOrEqual(1);
    expect(pending.length, 'pending').toBeLessThanOrEqual(1);
    if (running[0]) expect(client?.runningId).toBe(running[0].subscription.subscriptionId);
    if (pending[0]) expect(client?.pendingId).toBe(pending[0].subscription.subscriptionId);
    for (const one of all) {
      expectSoundBooks(one);
      expectMirrored(events, one);
    }
  }
  // Every change of a payment is an event.
  const ids = events.filter(({ type }) => type.startsWith('payment.')).map(({ data }) => String(data._id));
  const payments = await batchGetItems([...new Set(ids)].map((id) => keys.payment(seller.applicationId, id)));
  const journal = clients.flatMap((one) => one.journal);
  const idsIn = ({ listed }: Item) =>
    (listed as { entries: { paymentId?: string }[] }).entries.map(({ paymentId }) => paymentId);
  const named = new Set(journal.flatMap(idsIn));
  // A payment that was taken off every invoice, or is split over clients, is of no client.
  const own = payments.filter(({ externalId, paymentId }) =>
    externalId === undefined ? named.has(String(paymentId)) : externalIds.includes(String(externalId)),
  );
  const ofUnknown = await queryItems(keys.journalRecord(seller.applicationId, '').pk);
  const isOwn = (item: Item) =>
    idsIn(item).some((paymentId) => own.some((payment) => payment.paymentId === paymentId));
  const amounts = {
    clients: clients.flatMap(({ client }) => client ?? []),
    invoices: clients.flatMap(({ subscriptions }) => subscriptions.flatMap(({ invoices }) => invoices)),
    creditNotes: clients.flatMap(({ creditNotes }) => creditNotes),
    payments: own,
    payOuts: payOutsOf(journal),
    journal: [...journal, ...ofUnknown.filter(isOwn)].map(({ listed }) => listed as Item),
  };
  expect(faultsOfAmounts(amounts)).toEqual([]);
}

function expectSoundBooks({ subscription, invoices, timeline, outbox }: StoredSubscription): void {
  const { status, openInvoices, invoiceCount, revision } = subscription;
  const numbers = Array.from({ length: invoiceCount }, (_, i) => i + 1);
  expect(
    invoices.map(({ n }) => n),
    'invoice numbers',
  ).toEqual(numbers);
  const withStatusOpen = invoices.filter((invoice) => invoice.status === 'open');
  expect(
    openInvoices.map(({ n }) => n).toSorted((a, b) => a - b),
    'open invoices',
  ).toEqual(withStatusOpen.map(({ n }) => n));
  if (status === 'cancelled' || status === 'expired') {
    expect(openInvoices).toEqual([]);
    expect(subscription.timer).toBeUndefined();
    expect(subscription.endedAtMs).toBeTypeOf('number');
  }
  if (status === 'past_due') expect(openInvoices.length).toBeGreaterThan(0);
  if (status === 'pending') expect(openInvoices.length).toBe(1);
  for (const invoice of invoices) {
    expect(invoice.paidAtMs !== undefined, invoice.number).toBe(
      invoice.status === 'paid' || invoice.status === 'refunded' || invoice.reversed === true,
    );
  }
  expect(timeline.length).toBeLessThanOrEqual(revision);
  expect(new Set(outbox.map(({ entryId }) => entryId)).size).toBe(outbox.length);
}
