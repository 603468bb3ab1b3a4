import { defined } from '../shared/contract/defined.ts';
import * as keys from '../shared/contract/keys.ts';
import { dayMs, minuteMs } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { type Listing, listingAt } from '../shared/table/listing.ts';
import { notExists, type Write } from '../shared/table/table.ts';
import type { Entry } from './entry.ts';
import type { JournalRecord } from './journal-record.ts';

/**
 * The place of a record in the journal of its application, by time, with all that it says. An item that a change writes
 * anyway, such as its entry of the timeline, carries it: an item of its own would cost two units more.
 *
 * @returns undefined without entries.
 */
export function journalListing(
  applicationId: string,
  record: JournalRecord,
  nowMs: number,
): Listing | undefined {
  if (record.entries.length === 0) return undefined;
  const entries = record.entries.map((entry) => withValueDate(entry, nowMs));
  const place = { id: newId('jrn', nowMs), atMs: nowMs };
  return listingAt(
    { applicationId, kind: 'journal', status: 'booked' },
    place,
    defined({ ...record, entries }),
  );
}

const quarterHourMs = 15 * minuteMs;

/**
 * An entry states its value date if that can be of another day than its booking. A time can not within a quarter of an hour: in no time
 * zone does a day begin there. The day of a bank can: it is stored as 00:00 UTC, when the day of booking west of there is the one before.
 */
function withValueDate({ valueAtMs, ...entry }: Entry, bookedAtMs: number): Entry {
  const quarterOf = (ms: number) => Math.floor(ms / quarterHourMs);
  if (valueAtMs === undefined) return entry;
  const canDiffer = valueAtMs % dayMs === 0 || quarterOf(valueAtMs) !== quarterOf(bookedAtMs);
  return canDiffer ? { ...entry, valueAtMs } : entry;
}

/** The write of a record of its own, for money that no subscription takes part in. */
export function journalWrites(applicationId: string, record: JournalRecord, nowMs: number): Write[] {
  const listing = journalListing(applicationId, record, nowMs);
  if (listing === undefined) return [];
  const Item = { ...keys.journalRecord(applicationId, listing.listedAt), ...listing };
  return [{ Put: { Item, ConditionExpression: notExists } }];
}
