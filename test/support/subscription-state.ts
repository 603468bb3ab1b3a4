import { expect } from 'vitest';
import { keys } from '../../functions/shared/contract/keys.ts';
import { type Item, queryItems } from '../../functions/shared/table/table.ts';
import type { Client } from '../../functions/subscriptions/clients/client.ts';
import { subscriptionStore } from '../../functions/subscriptions/engine/subscription-store.ts';
import type { Invoice } from '../../functions/subscriptions/invoices/invoice.ts';
import type { OutboxEntry } from '../../functions/subscriptions/lifecycle/outbox-entry.ts';
import {
  runningStatuses,
  type Subscription,
  type TimelineEntry,
} from '../../functions/subscriptions/lifecycle/subscription.ts';
import type { Tenant } from './tenants.ts';

/** A subscription with all that lies beside it, read past the handlers. */
export interface Kept {
  subscription: Subscription;
  invoices: Invoice[];
  timeline: TimelineEntry[];
  outbox: OutboxEntry[];
}

type Seller = Pick<Tenant, 'applicationId'>;

/** Every item of the table that belongs to a client, the subscriptions' partitions included. */
export async function itemsOf({ applicationId }: Seller, externalId: string): Promise<Item[]> {
  const own = await queryItems(keys.clientPartition(applicationId, externalId));
  const ids = own.flatMap(({ subscriptionId, sk }) =>
    sk.startsWith('SUB#') ? [String(subscriptionId)] : [],
  );
  const others = await Promise.all(ids.map((id) => queryItems(keys.subscriptionPartition(id))));
  return [...own, ...others.flat()];
}

/** A subscription of a client; the only one, or the newest, unless its id is given. */
export async function kept(seller: Seller, externalId: string, id?: string): Promise<Kept> {
  const all = await allKept(seller, externalId);
  const found = id === undefined ? all.at(-1) : all.find((one) => one.subscription.subscriptionId === id);
  if (found === undefined) throw new Error('There is no such subscription');
  return found;
}

/** All subscriptions of a client, the oldest first. */
export async function allKept(seller: Seller, externalId: string): Promise<Kept[]> {
  const items = await itemsOf(seller, externalId);
  const ids = items
    .filter(({ sk }) => sk.startsWith('SUB#'))
    .map(({ subscriptionId }) => String(subscriptionId));
  const { subscriptions } = await subscriptionStore.getWithClient(seller.applicationId, externalId, ids);
  return subscriptions.flatMap((subscription) => {
    if (subscription === undefined) return [];
    const beside = items.filter(({ pk }) => pk === keys.subscriptionPartition(subscription.subscriptionId));
    const under = (beginning: string) => beside.filter(({ sk }) => sk.startsWith(beginning)) as unknown[];
    return {
      subscription,
      invoices: under('INVOICE#') as Invoice[],
      timeline: under('TIMELINE#') as TimelineEntry[],
      outbox: under('OUTBOX#') as OutboxEntry[],
    };
  });
}

export async function clientOf({ applicationId }: Seller, externalId: string): Promise<Client | undefined> {
  return (await subscriptionStore.getWithClient(applicationId, externalId, [])).client;
}

/** What holds whatever was done, by whomever, in whatever order. */
export async function expectSound(seller: Seller, externalId: string): Promise<void> {
  const all = await allKept(seller, externalId);
  const running = all.filter(({ subscription: { status } }) => runningStatuses.includes(status));
  const pending = all.filter(({ subscription: { status } }) => status === 'pending');
  expect(running.length, 'running').toBeLessThanOrEqual(1);
  expect(pending.length, 'pending').toBeLessThanOrEqual(1);
  const client = await clientOf(seller, externalId);
  if (running[0]) expect(client?.runningId).toBe(running[0].subscription.subscriptionId);
  if (pending[0]) expect(client?.pendingId).toBe(pending[0].subscription.subscriptionId);
  for (const one of all) expectSoundBooks(one);
}

function expectSoundBooks({ subscription, invoices, timeline, outbox }: Kept): void {
  const { status, openInvoices: open, invoiceCount, revision } = subscription;
  const numbers = Array.from({ length: invoiceCount }, (_, i) => i + 1);
  expect(
    invoices.map(({ n }) => n),
    'invoice numbers',
  ).toEqual(numbers);
  const openInvoices = invoices.filter((invoice) => invoice.status === 'open');
  expect(
    open.map(({ n }) => n).toSorted((a, b) => a - b),
    'open invoices',
  ).toEqual(openInvoices.map(({ n }) => n));
  if (status === 'cancelled' || status === 'expired') {
    expect(open).toEqual([]);
    expect(subscription.timer).toBeUndefined();
    expect(subscription.endedAtMs).toBeTypeOf('number');
  }
  if (status === 'past_due') expect(open.length).toBeGreaterThan(0);
  if (status === 'pending') expect(open.length).toBe(1);
  for (const invoice of invoices) {
    expect(invoice.paidAtMs !== undefined, invoice.number).toBe(
      invoice.status === 'paid' || invoice.reversed === true,
    );
  }
  expect(timeline.length).toBeLessThanOrEqual(revision);
  expect(new Set(outbox.map(({ entryId }) => entryId)).size).toBe(outbox.length);
}
