import type { Application } from '../shared/accounts/applications.ts';
import type { ListedEntry } from '../shared/lists/listed-entry.ts';
import { ofApplication } from '../shared/lists/partitions.ts';
import type { BookedRecord } from './booked-record.ts';
import { bookedRecordReader } from './read-record.ts';

/** The journal of an application, as a list. Days are those of its time zone. */
export function journalOf<R>(
  application: Pick<Application, 'applicationId' | 'settings'>,
  toResponse: (record: BookedRecord) => R,
) {
  return {
    source: ofApplication(application, 'journal', ['booked']),
    // The index has all of a record, which never changes.
    itemsOf: (entries: readonly ListedEntry[]) => entries,
    read: bookedRecordReader(application.settings.timeZone),
    toResponse,
  } as const;
}
