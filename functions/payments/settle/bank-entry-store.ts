import * as keys from '../../shared/contract/keys.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import { notExists, type Write } from '../../shared/table/table.ts';

/** An entry of a statement that took a payment back. It is kept: a file can be imported again after years. */
export interface BankEntry {
  readonly applicationId: string;
  /** Of the entry at its bank: see source-id.ts. */
  readonly entryId: string;
  readonly paymentId: string;
}

export const bankEntryStore = {
  get: (applicationId: string, entryId: string): Promise<BankEntry | undefined> =>
    getRecord(keys.bankEntry(applicationId, entryId), recordReader<BankEntry>(['entryId', 'paymentId'])),

  write: (entry: BankEntry): Write => ({
    Put: {
      Item: { ...keys.bankEntry(entry.applicationId, entry.entryId), ...entry },
      ConditionExpression: notExists,
    },
  }),
};
