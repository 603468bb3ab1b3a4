import { registeredEvents } from '../../../functions/events.ts';
import type { Invoice } from '../../../functions/invoices/invoice.ts';
import { toInvoiceResponse } from '../../../functions/invoices/present.ts';
import { toSubscriptionResponse } from '../../../functions/subscriptions/present/subscription.ts';
import type { Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import type { TimelineEntry } from '../../../functions/subscriptions/record/timeline-entry.ts';
import { eventStore } from '../../../functions/webhooks/events/store.ts';
import { sentGroups } from '../notices/sent-groups.ts';

/** An event as it was written, with its data. */
export interface WrittenEvent {
  groupId: string;
  createdAtMs: number;
  type: string;
  sequence: number;
  data: Record<string, unknown>;
}

/** The events of an application that were not dispatched, those of each object in the order of their sequence. */
export async function writtenEvents(applicationId: string): Promise<WrittenEvent[]> {
  const groups = await eventStore.get(sentGroups(applicationId));
  return groups
    .filter((group) => 'due' in group)
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
    .flatMap(({ groupId, createdAtMs, events }) =>
      events.map(({ type, sequence, data }) => ({
        groupId,
        createdAtMs,
        type,
        sequence,
        data: JSON.parse(data),
      })),
    )
    .toSorted((a, b) => (objectOf(a) === objectOf(b) ? a.sequence - b.sequence : 0));
}

/** The id of the object that an event is about. */
const objectOf = ({ data }: WrittenEvent): string => String(data._id ?? data.paymentId);

/** The events of one object, in the order of their sequence. */
export const eventsAbout = (events: readonly WrittenEvent[], id: string): WrittenEvent[] =>
  events.filter((event) => objectOf(event) === id).toSorted((a, b) => a.sequence - b.sequence);

/** The types of events about a subscription and its invoices, sorted. */
export const typesOf = (events: readonly WrittenEvent[]): string[] =>
  events.map(({ type }) => type).toSorted();

const definitions = new Map(registeredEvents().map(({ type, definition }) => [type, definition]));

/** Each event has a registered type, and data of its schema and nothing else. */
export function expectRegistered(events: readonly WrittenEvent[]): void {
  for (const { type, data } of events) {
    const definition = definitions.get(type);
    if (definition === undefined) throw new Error(`${type} is not registered`);
    expect(definition.data.parse(data), type).toEqual(data);
  }
}

/** The sequences of events about one object are 1, 2, 3, ... */
export function expectGapless(events: readonly WrittenEvent[]): void {
  const sequences = events.map(({ sequence }) => sequence);
  expect(sequences, events[0]?.type).toEqual(sequences.map((_, i) => i + 1));
}

/** A receiver that discards what is older ends with the object as it is stored, having seen each of its states. */
export function expectMirrored(
  events: readonly WrittenEvent[],
  { subscription, invoices, timeline }: MirroredSubscription,
): void {
  const own = eventsAbout(events, subscription.subscriptionId);
  expectRegistered(own);
  expectGapless(own);
  expect(own.length).toBe(subscription.eventCount);
  const last = own.at(-1);
  if (last !== undefined) {
    const { access: _, entitled: __, ...shown } = toSubscriptionResponse(subscription, last.createdAtMs);
    expect(last.data, 'the subscription as the last event shows it').toMatchObject(shown);
  }
  if (own[0]?.type === 'subscription.created') {
    const announced = own.map(({ data }) => data.status);
    expect(distinct(announced), 'states').toEqual(distinct(timeline.map(({ to }) => to)));
  }
  for (const invoice of invoices) {
    const ofInvoice = eventsAbout(events, invoice.invoiceId);
    expectRegistered(ofInvoice);
    expectGapless(ofInvoice);
    expect(ofInvoice.length, invoice.number).toBe(invoice.eventCount);
    const latest = ofInvoice.at(-1);
    if (latest !== undefined) expect(latest.data, invoice.number).toEqual(toInvoiceResponse(invoice));
  }
}

interface MirroredSubscription {
  subscription: Subscription;
  invoices: readonly Invoice[];
  timeline: readonly TimelineEntry[];
}

const distinct = (values: readonly unknown[]) =>
  values.filter((value, i) => i === 0 || value !== values[i - 1]);
