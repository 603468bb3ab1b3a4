import type { JournalRecord } from '../ledger/journal-record.ts';
import type { ListedEntry } from '../shared/lists/listed-entry.ts';
import { isoDay } from '../shared/runtime/time-zone.ts';
import { type RecordReader, recordReader } from '../shared/table/record.ts';
import { type BookedRecord, toBookedEntry } from './booked-record.ts';

const readListedEntry = recordReader<ListedEntry>(['listedAt', 'listed']);
const readListed = recordReader<JournalRecord>(['numbers', 'entries']);

/** The reader of records of the journal from the index, which has all of them. @param timeZone of their days; UTC by default. */
export const bookedRecordReader =
  (timeZone?: string): RecordReader<BookedRecord> =>
  (entry) => {
    const { pk, sk, listedAt, listed } = readListedEntry(entry);
    const end = listedAt.indexOf('#');
    const bookedAtMs = Date.parse(listedAt.slice(0, end));
    const { externalId, subscriptionId, numbers, entries } = readListed({ pk, sk, ...listed });
    const day = isoDay(bookedAtMs, timeZone);
    return {
      journalId: listedAt.slice(end + 1),
      bookedAtMs,
      day,
      externalId,
      subscriptionId,
      numbers,
      entries: entries.map((entry) => toBookedEntry(entry, day, timeZone)),
    };
  };
