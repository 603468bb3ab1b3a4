import type { Application } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import { dueShard, keys, tableSchema } from '../../shared/contract/keys.ts';
import { expirySeconds } from '../../shared/contract/time-to-live.ts';
import { eventWrites, type NewEvent } from '../../shared/events/events-write.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { type IdempotentRequest, writeIdempotently } from '../../shared/table/idempotency.ts';
import { batchGetItems, type Item, notExists, transactWrite, type Write } from '../../shared/table/table.ts';
import type { Client } from '../clients/client.ts';
import type { CreditNote } from '../invoices/credit-note.ts';
import { creditNoteListing } from '../invoices/credit-note-listing.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { invoiceListing } from '../invoices/invoice-listing.ts';
import type { Change } from '../lifecycle/decide.ts';
import { invoiceOf } from '../lifecycle/invoice-changes.ts';
import { statesBefore } from '../lifecycle/transitions.ts';
import type { Plan } from '../plans/plan.ts';
import { type OutboxEntry, outboxRetentionMs } from '../state/outbox-entry.ts';
import { referenceCode } from '../state/reference-number.ts';
import { runningStatuses, type Subscription, type TimelineEntry } from '../state/subscription.ts';
import { subscriptionListing } from '../state/subscription-listing.ts';
import { eventsOf } from './change-events.ts';
import {
  type ClientSubscriptions,
  type ClientSubscriptionsChange,
  clientSubscriptionsWrite,
  withCredits,
} from './client-subscriptions-store.ts';
import { writeNumbered } from './number-series-store.ts';
import { subscriptionOf } from './subscription-queries.ts';
import { invoicesToUpdate, invoiceUpdate } from './updated-invoices-store.ts';

export type { Write };

/** A subscription and its client, read together. */
export interface SubscriptionWithClient {
  client: Client;
  subscription: Subscription;
  /** Those of its invoices that were read with it. A write reads others that it updates. */
  invoices: readonly Invoice[];
}

/** The writer delivers an entry at once; the outbox timer finds what was not delivered by then. */
const outboxGraceMs = 5 * minuteMs;

/**
 * Subscriptions in the table. Every write is one transaction, conditioned on the items that the decision was
 * based on.
 */
export const subscriptionStore = {
  /** A client and some of its subscriptions, strongly consistent, in one round trip. */
  async getWithClient(
    applicationId: string,
    externalId: string,
    ids: readonly (string | undefined)[],
  ): Promise<{ client: Client | undefined; subscriptions: (Subscription | undefined)[] }> {
    const uniqueIds = [...new Set(ids)].filter((id) => id !== undefined);
    const items = await batchGetItems([
      keys.client(applicationId, externalId),
      ...uniqueIds.map((id) => keys.subscription(applicationId, externalId, id)),
    ]);
    const bySortKey = new Map(items.map((item) => [item.sk, item]));
    const { sk } = keys.client(applicationId, externalId);
    return {
      client: bySortKey.get(sk) as Client | undefined,
      subscriptions: ids.map((id) => {
        const item = id && bySortKey.get(keys.subscription(applicationId, externalId, id).sk);
        return item ? subscriptionOf(item) : undefined;
      }),
    };
  },

  /** The client, the plan and the application of a new subscription, in one round trip. */
  async getCreationInputs(
    applicationId: string,
    externalId: string,
    planId: string,
  ): Promise<{ client: Client | undefined; plan: Plan | undefined; application: Application | undefined }> {
    const itemKeys = [
      keys.client(applicationId, externalId),
      keys.plan(applicationId, planId),
      keys.application(applicationId),
    ];
    const items = await batchGetItems(itemKeys);
    const [client, plan, application] = itemKeys.map(({ pk, sk }) =>
      items.find((item) => item.pk === pk && item.sk === sk),
    );
    return {
      client: client as Client | undefined,
      plan: plan as unknown as Plan | undefined,
      application: application as Application | undefined,
    };
  },

  /**
   * Writes changes and their events in one transaction. The changes are those of one application.
   *
   * @param read invoices of the subscriptions. It is conditioned on those that a change updates.
   * @param clientChange of {@link withCredits}, when a change moves credit.
   * @param more what else is written. Called once the numbers of new invoices are known.
   * @returns false after a concurrent write: nothing is written then.
   */
  async write(
    changes: readonly Change[],
    read: readonly Invoice[],
    clientChange?: ClientSubscriptionsChange,
    more: () => MoreWrites = () => ({ writes: [], events: [] }),
  ): Promise<boolean> {
    const hasCredits = changes.some(({ credits }) => credits.length > 0);
    if (hasCredits && clientChange?.credits === undefined)
      throw new Error('The credit of a client is not written');
    const invoices = await invoicesToUpdate(changes, read);
    const isWritten = await writeNumbered(changes, async (numberWrites) => {
      const { writes, events, source } = more();
      const all = [
        ...changesWrites(changes, invoices, events, source),
        ...(clientChange === undefined ? [] : [clientSubscriptionsWrite(clientChange)]),
        ...writes,
        ...numberWrites,
      ];
      return (await transactWrite(all)) || undefined;
    });
    return isWritten === true;
  },

  /**
   * Writes a new subscription once per idempotency key, and the ends of those that it supersedes or replaces.
   *
   * @param concurrent the client's running subscription, if it goes on. The write is conditioned on its revision.
   * @param invoices as in `write`.
   * @returns the response to this request, or to the first one with the key; undefined after a concurrent
   * write, or when another subscription has the reference number.
   */
  async create<R extends object>(
    created: Change,
    {
      ended,
      concurrent,
      client,
      invoices,
    }: {
      ended: readonly Change[];
      concurrent: Subscription | undefined;
      client: Client;
      invoices: readonly Invoice[];
    },
    { request, response, nowMs }: { request: IdempotentRequest | undefined; response: R; nowMs: number },
  ): Promise<R | undefined> {
    const { next } = created;
    const { applicationId, externalId, subscriptionId, referenceNumber } = next;
    const owner = { applicationId, externalId, subscriptionId };
    const changes = [created, ...ended];
    const read = await invoicesToUpdate(changes, invoices);
    const writes: Write[] = [
      { Put: { Item: { ...keys.subscriptionOwner(subscriptionId), ...owner } } },
      {
        Put: {
          Item: { ...keys.reference(referenceCode(referenceNumber)), ...owner },
          ConditionExpression: notExists,
        },
      },
      ...(concurrent === undefined ? [] : [revisionUnchanged(concurrent)]),
      clientSubscriptionsWrite({
        client,
        set: subscriptionsWith(created, client),
        ...withCredits(client, changes),
      }),
    ];
    return writeNumbered(changes, (numberWrites) =>
      writeIdempotently(
        request,
        [...changesWrites(changes, read), ...writes, ...numberWrites],
        response,
        nowMs,
      ),
    );
  },
};

/** A trial and a free plan run at once. Any other new subscription is pending, next to the running one. */
function subscriptionsWith({ next }: Change, { runningId, trialUsedAtMs }: Client): ClientSubscriptions {
  if (next.status === 'trialing') return { runningId: next.subscriptionId, trialUsedAtMs: next.createdAtMs };
  if (next.status === 'active') return { runningId: next.subscriptionId, ...defined({ trialUsedAtMs }) };
  return { pendingId: next.subscriptionId, ...defined({ runningId, trialUsedAtMs }) };
}

/**
 * Sorts the subscriptions of a client by status: the last is the running one, else the newest. A pending one
 * is always the newest, even when its id sorts lower: ids contain the time of a function's clock, and clocks
 * differ.
 */
function statusPosition({ status, subscriptionId }: Subscription): string {
  if (runningStatuses.includes(status)) return `2#${subscriptionId}`;
  return status === 'pending' ? `1#${subscriptionId}` : `0#${subscriptionId}`;
}

function itemOf(subscription: Subscription): Item {
  const { applicationId, externalId, subscriptionId, timer } = subscription;
  return {
    ...keys.subscription(applicationId, externalId, subscriptionId),
    ...subscription,
    statusPosition: statusPosition(subscription),
    ...subscriptionListing(subscription),
    ...defined({
      due: timer && keys.timerPartition(dueShard(subscriptionId)),
      dueAt: timer && isoTime(timer.dueAtMs),
    }),
  };
}

/** What is written in the transaction of a change: further writes, and events of further objects. */
export interface MoreWrites {
  readonly writes: readonly Write[];
  readonly events: readonly NewEvent[];
  /** Of the events, when there is no change. */
  readonly source?: { readonly applicationId: string; readonly nowMs: number };
}

/** The writes of changes of one application, and of their events. */
function changesWrites(
  changes: readonly Change[],
  invoices: readonly Invoice[],
  more: readonly NewEvent[] = [],
  otherSource?: MoreWrites['source'],
): Write[] {
  const events = [...changes.flatMap((change) => eventsOf(change, invoices)), ...more];
  const [first] = changes;
  const source = first
    ? { applicationId: first.next.applicationId, nowMs: first.next.updatedAtMs }
    : otherSource;
  return [
    ...changes.flatMap((change) => changeWrites(change, invoices)),
    ...(source === undefined ? [] : eventWrites(source, events)),
  ];
}

function changeWrites(
  { event, previous, next, issued, updated, creditNotes, outbox, recalled, entry }: Change,
  invoices: readonly Invoice[],
): Write[] {
  const { applicationId, externalId, subscriptionId } = next;
  const condition =
    previous === undefined
      ? { ConditionExpression: notExists }
      : inStateAtRevision(statesBefore(event), previous);
  return [
    { Put: { Item: itemOf(next), ...condition } },
    ...issued.flatMap((invoice): Write[] => [
      {
        Put: {
          Item: { ...keys.invoice(subscriptionId, invoice.n), ...invoice, ...invoiceListing(invoice) },
          // Invoice numbers are consecutive and unique.
          ConditionExpression: notExists,
        },
      },
      {
        Put: {
          Item: {
            ...keys.invoiceOwner(invoice.invoiceId),
            applicationId,
            externalId,
            subscriptionId,
            n: invoice.n,
          },
        },
      },
    ]),
    ...updated.map(
      (update): Write => ({
        Update: invoiceUpdate(subscriptionId, update, invoiceOf(next, update, invoices)),
      }),
    ),
    ...creditNotes.flatMap(creditNoteWrites),
    {
      Put: {
        Item: {
          ...keys.timelineEntry(subscriptionId, entry.revision),
          ...entry,
          ...numbersOf({ next, issued, updated, creditNotes }, invoices),
        },
      },
    },
    ...outbox.map(outboxWrite),
    ...recalled.map((entryId) => recallWrite(subscriptionId, entryId, next.updatedAtMs)),
  ];
}

/** The numbers that an entry of the timeline states. Those of the seller's series are known only now. */
function numbersOf(
  { next, issued, updated, creditNotes }: Pick<Change, 'next' | 'issued' | 'updated' | 'creditNotes'>,
  read: readonly Invoice[],
): Pick<TimelineEntry, 'invoices' | 'creditNotes'> {
  const touched = updated.flatMap((update) => invoiceOf(next, update, read) ?? []);
  const invoices = [...new Set([...issued, ...touched].map(({ number }) => number))];
  const notes = creditNotes.map(({ number }) => number);
  return defined({
    invoices: invoices.length > 0 ? invoices : undefined,
    creditNotes: notes.length > 0 ? notes : undefined,
  });
}

/** The writes of a new credit note. Numbers are consecutive and unique. */
function creditNoteWrites(creditNote: CreditNote): Write[] {
  const { applicationId, externalId, subscriptionId, creditNoteId, n } = creditNote;
  const owner = { applicationId, externalId, subscriptionId, n };
  return [
    {
      Put: {
        Item: { ...keys.creditNote(subscriptionId, n), ...creditNote, ...creditNoteListing(creditNote) },
        ConditionExpression: notExists,
      },
    },
    { Put: { Item: { ...keys.creditNoteOwner(creditNoteId), ...owner } } },
  ];
}

/** The write of a new entry of the outbox. It is refused when an entry of that id exists. */
export function outboxWrite(entry: OutboxEntry): { Put: { Item: Item; ConditionExpression: string } } {
  const { subscriptionId, entryId } = entry;
  return {
    Put: {
      Item: {
        ...keys.outbox(subscriptionId, entryId),
        ...entry,
        due: keys.outboxPartition(dueShard(subscriptionId)),
        dueAt: isoTime(entry.createdAtMs + outboxGraceMs),
      },
      ConditionExpression: notExists,
    },
  };
}

/** Takes an entry of the outbox back. It is refused once a process has leased the entry: its mail may be sent. */
function recallWrite(subscriptionId: string, entryId: string, nowMs: number): Write {
  return {
    Update: {
      Key: keys.outbox(subscriptionId, entryId),
      UpdateExpression: 'SET droppedAtMs = :now, #ttl = :expires REMOVE #due, dueAt',
      ConditionExpression: 'attribute_exists(#due) AND attempts = :none',
      ExpressionAttributeNames: { '#due': 'due', '#ttl': tableSchema.timeToLive },
      ExpressionAttributeValues: {
        ':now': nowMs,
        ':expires': expirySeconds(nowMs + outboxRetentionMs),
        ':none': 0,
      },
    },
  };
}

/** The condition that a subscription is in an allowed state, at the revision that was read. */
function inStateAtRevision(states: readonly string[], { revision }: Subscription) {
  const names = states.map((_, i) => `:state${i}`);
  return {
    ConditionExpression: `#revision = :revision AND #status IN (${names.join(', ')})`,
    ExpressionAttributeNames: { '#revision': 'revision', '#status': 'status' },
    ExpressionAttributeValues: {
      ':revision': revision,
      ...Object.fromEntries(states.map((state, i) => [`:state${i}`, state])),
    },
  };
}

function revisionUnchanged(subscription: Subscription): Write {
  const { applicationId, externalId, subscriptionId, status } = subscription;
  return {
    ConditionCheck: {
      Key: keys.subscription(applicationId, externalId, subscriptionId),
      ...inStateAtRevision([status], subscription),
    },
  };
}
