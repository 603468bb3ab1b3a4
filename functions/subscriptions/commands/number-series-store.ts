import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import { notExists, type Write } from '../../shared/table/table.ts';
import type { Change } from '../machine/decide.ts';

/** How many numbers of a seller's series were given, of invoices and of credit notes. */
interface Counters {
  invoices: number;
  creditNotes: number;
}

const minDigits = 6;

/**
 * Writes changes whose invoices and credit notes have numbers of the seller's series: sets the numbers, and passes the
 * write of the counters, which belongs to the same transaction. So a number is given exactly when its invoice is written,
 * and the series has no gaps. The write is conditioned on the counters as read. When another invoice took the numbers, the
 * changes get the next ones: they need no new decision.
 *
 * @param changes those of one application. Without numbers of the series, nothing is read.
 * @param attempt resolves undefined when a condition failed. It is called again only when the counters have moved.
 * @returns what the last attempt resolved.
 * @throws ApiError `conflict` after too many concurrent invoices.
 */
export async function writeNumbered<T>(
  changes: readonly Change[],
  attempt: (writes: readonly Write[]) => Promise<T | undefined>,
): Promise<T | undefined> {
  const numbered = changes.filter(
    ({ next, issued, creditNotes }) =>
      next.seller.series !== undefined && issued.length + creditNotes.length > 0,
  );
  const [first] = numbered;
  if (first === undefined) return attempt([]);
  const { applicationId } = first.next;
  const { result } = await retryOnConflict(async () => {
    const read = await countersOf(applicationId);
    const write = countersWrite(applicationId, read, setNumbers(numbered, read));
    const result = await attempt([write]);
    if (result !== undefined) return { result };
    const latest = await countersOf(applicationId);
    const isUnmoved = latest?.invoices === read?.invoices && latest?.creditNotes === read?.creditNotes;
    return isUnmoved ? { result: undefined } : undefined;
  });
  return result;
}

const readCounters = recordReader<Counters>(['invoices', 'creditNotes']);

async function countersOf(applicationId: string): Promise<Counters | undefined> {
  return getRecord(keys.invoiceSeries(applicationId), readCounters);
}

function setNumbers(changes: readonly Change[], read: Counters | undefined): Counters {
  let { invoices, creditNotes } = read ?? { invoices: 0, creditNotes: 0 };
  for (const { next, issued, creditNotes: notes } of changes) {
    const { invoicePrefix = '', creditNotePrefix = '' } = next.seller.series ?? {};
    for (const invoice of issued) invoice.number = numberOf(invoicePrefix, ++invoices);
    for (const note of notes) note.number = numberOf(creditNotePrefix, ++creditNotes);
  }
  return { invoices, creditNotes };
}

const numberOf = (prefix: string, n: number) => prefix + String(n).padStart(minDigits, '0');

function countersWrite(applicationId: string, read: Counters | undefined, after: Counters): Write {
  return {
    Update: {
      Key: keys.invoiceSeries(applicationId),
      UpdateExpression: 'SET invoices = :invoices, creditNotes = :creditNotes',
      ConditionExpression:
        read === undefined ? notExists : 'invoices = :readInvoices AND creditNotes = :readCreditNotes',
      ExpressionAttributeValues: defined({
        ':invoices': after.invoices,
        ':creditNotes': after.creditNotes,
        ':readInvoices': read?.invoices,
        ':readCreditNotes': read?.creditNotes,
      }),
    },
  };
}
