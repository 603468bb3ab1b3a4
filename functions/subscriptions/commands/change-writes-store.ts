/** The writes of a change: the subscription, its documents, its timeline, its outbox and its events. */

import type { CreditNote } from '../../invoices/credit-note.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { creditNoteListing } from '../../invoices/listing/credit-note-listing.ts';
import { invoiceListing } from '../../invoices/listing/invoice-listing.ts';
import { withTaxPostings } from '../../invoices/revenue-postings.ts';
import { journalListing } from '../../ledger/journal-store.ts';
import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { dueShard } from '../../shared/contract/keys.ts';
import { tableSchema } from '../../shared/contract/table-schema.ts';
import { expirySeconds } from '../../shared/contract/time-to-live.ts';
import { type EventSource, eventWrites, type NewEvent } from '../../shared/events/events-write.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { recordReader } from '../../shared/table/record.ts';
import { type Item, notExists, type Write } from '../../shared/table/table.ts';
import type { Change } from '../machine/decide.ts';
import { invoiceOf } from '../machine/invoice-changes.ts';
import { type OutboxEntry, outboxRetentionMs } from '../record/outbox-entry.ts';
import { emptyLists, runningStatuses, type Subscription } from '../record/subscription.ts';
import { subscriptionListing } from '../record/subscription-listing.ts';
import type { TimelineEntry } from '../record/timeline-entry.ts';
import { eventsOf } from './change-events.ts';
import { invoiceUpdate } from './updated-invoices-store.ts';

/** The writer delivers an entry at once; the outbox timer finds what was not delivered by then. */
const outboxGraceMs = 5 * minuteMs;

/** The other writes in the transaction of a change: further writes, and events of further objects. */
export interface MoreWrites {
  readonly writes: readonly Write[];
  readonly events: readonly NewEvent[];
  /** The source of the events when there is no change. */
  readonly source?: EventSource;
}

/** The writes of changes of one application, and of their events. */
export function changesWrites(
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
  if (source === undefined && events.length > 0) throw new Error('The events have no source');
  return [
    ...changes.flatMap((change) => changeWrites(change, invoices)),
    ...(source === undefined ? [] : eventWrites(source, events)),
  ];
}

function changeWrites(change: Change, invoices: readonly Invoice[]): Write[] {
  const { statesBefore, previous, next, issued, updated, creditNotes, outbox, recalled, entry, books } =
    change;
  const { applicationId, externalId, subscriptionId, updatedAtMs } = next;
  const touched = updated.flatMap((update) => invoiceOf(next, update, invoices) ?? []);
  const changed = [...issued, ...touched];
  const booked = {
    numbers: Object.fromEntries(changed.map(({ n, number }) => [n, number])),
    entries: withTaxPostings(books, [...issued.map(asIssued), ...touched]),
  };
  const condition =
    previous === undefined ? { ConditionExpression: notExists } : inStateAtRevision(statesBefore, previous);
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
            ...nameOf(next, invoice),
          },
        },
      },
    ]),
    ...updated.map((update): Write => {
      const read = invoiceOf(next, update, invoices);
      if (read === undefined) throw new Error(`Invoice ${update.n} of a change was not read`);
      return { Update: invoiceUpdate(update, read, change) };
    }),
    ...creditNotes.flatMap((creditNote) => creditNoteWrites(next, creditNote)),
    {
      Put: {
        Item: {
          ...keys.timelineEntry(subscriptionId, entry.revision),
          ...entry,
          ...numbersOf(changed, creditNotes),
          ...journalListing(applicationId, { externalId, subscriptionId, ...booked }, updatedAtMs),
        },
      },
    },
    ...outbox.map(outboxWrite),
    ...recalled.map((entryId) => recallWrite(subscriptionId, entryId, updatedAtMs)),
  ];
}

/** An invoice before the entries of the change that issues it. */
const asIssued = ({ settled: _, ...invoice }: Invoice) => invoice;

/** The numbers that an entry of the timeline states. Those of the seller's series are known only now. */
function numbersOf(
  changed: readonly Invoice[],
  creditNotes: readonly CreditNote[],
): Pick<TimelineEntry, 'invoices' | 'creditNotes'> {
  const invoices = [...new Set(changed.map(({ number }) => number))];
  const notes = creditNotes.map(({ number }) => number);
  return defined({
    invoices: invoices.length > 0 ? invoices : undefined,
    creditNotes: notes.length > 0 ? notes : undefined,
  });
}

/** The place of a document in the index `byName`. A number in the series of a subscription names its subscription, so it needs none. */
const nameOf = ({ seller }: Subscription, { number }: { number: string }) =>
  seller.series === undefined ? {} : { namedBy: keys.documentsOfNumber(number) };

/** The writes of a new credit note. Numbers are consecutive and unique. */
function creditNoteWrites(next: Subscription, creditNote: CreditNote): Write[] {
  const { applicationId, externalId, subscriptionId, creditNoteId, n } = creditNote;
  const owner = { applicationId, externalId, subscriptionId, n, ...nameOf(next, creditNote) };
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

export const readOutboxEntry = recordReader<OutboxEntry>(['subscriptionId', 'entryId', 'kind']);

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

/** The update that marks an entry of the outbox as done or dropped. It stays as a record and is no longer due. */
export const finishedEntry = (how: 'doneAtMs' | 'droppedAtMs', nowMs: number) => ({
  UpdateExpression: 'SET #how = :now, #ttl = :expires REMOVE #due, dueAt',
  ConditionExpression: 'attribute_exists(#due)',
  ExpressionAttributeNames: { '#how': how, '#due': 'due', '#ttl': tableSchema.timeToLive },
  ExpressionAttributeValues: { ':now': nowMs, ':expires': expirySeconds(nowMs + outboxRetentionMs) },
});

/**
 * The update that gives an entry of the outbox up. It stays in the index, in the list of given-up entries.
 *
 * @param copies the tries after which SES may have accepted the mail.
 * @param failure the name of the last error, or of the reason.
 */
export const givenUpEntry = (
  { subscriptionId, entryId }: Pick<OutboxEntry, 'subscriptionId' | 'entryId'>,
  { copies, failure }: { copies: number; failure: string },
  nowMs: number,
) => ({
  UpdateExpression:
    'SET givenUpAtMs = :now, failure = :failure, possibleCopies = :copies, #due = :due, dueAt = :position, #ttl = :expires',
  ConditionExpression: 'attribute_exists(#due) AND attribute_not_exists(givenUpAtMs)',
  ExpressionAttributeNames: { '#due': 'due', '#ttl': tableSchema.timeToLive },
  ExpressionAttributeValues: {
    ':now': nowMs,
    ':failure': failure,
    ':copies': copies,
    ':due': keys.givenUpPartition(dueShard(subscriptionId)),
    ':position': `${isoTime(nowMs)} ${subscriptionId} ${entryId}`,
    ':expires': expirySeconds(nowMs + outboxRetentionMs),
  },
});

/** Takes an entry of the outbox back. It is refused once a process has leased the entry: its mail may be sent. */
function recallWrite(subscriptionId: string, entryId: string, nowMs: number): Write {
  const update = finishedEntry('droppedAtMs', nowMs);
  return {
    Update: {
      Key: keys.outbox(subscriptionId, entryId),
      ...update,
      ConditionExpression: `${update.ConditionExpression} AND attempts = :none`,
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':none': 0 },
    },
  };
}

/** The condition that a subscription is in an allowed state, at the revision that was read. */
export function inStateAtRevision(states: readonly string[], { revision }: Subscription) {
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

/**
 * Sorts the subscriptions of a client by status: the last is the running one, else the newest. A pending one
 * is always the newest, even when its id sorts lower: ids contain the time of a function's clock, and clocks
 * differ.
 */
function statusPosition({ status, subscriptionId }: Subscription): string {
  if (runningStatuses.includes(status)) return `2#${subscriptionId}`;
  return status === 'pending' ? `1#${subscriptionId}` : `0#${subscriptionId}`;
}

/** An empty list is absent from its item: it would only cost units. */
const withoutEmptyLists = (subscription: Subscription) =>
  Object.fromEntries(
    Object.entries(subscription).filter(([name, value]) => !(name in emptyLists && isEmpty(value))),
  );

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

function itemOf(subscription: Subscription): Item {
  const { applicationId, externalId, subscriptionId, timer } = subscription;
  return {
    ...keys.subscription(applicationId, externalId, subscriptionId),
    ...withoutEmptyLists(subscription),
    statusPosition: statusPosition(subscription),
    ...subscriptionListing(subscription),
    ...defined({
      due: timer && keys.timerPartition(dueShard(subscriptionId)),
      dueAt: timer && isoTime(timer.dueAtMs),
    }),
  };
}
