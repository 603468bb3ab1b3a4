import * as keys from '../shared/contract/keys.ts';
import { getRecord, recordReader } from '../shared/table/record.ts';
import { notExists, type Write } from '../shared/table/table.ts';

/** Credit that a seller sent back. Amounts in minor units. */
export interface PayOut {
  readonly applicationId: string;
  /** Of the application: a pay-out is recorded once for each. */
  readonly payOutId: string;
  readonly externalId: string;
  /** Whose timeline shows it. */
  readonly subscriptionId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly reason: string;
  readonly creditLeftMinor: number;
  readonly recordedAtMs: number;
}

const readPayOut = recordReader<PayOut>(['payOutId', 'amountMinor']);

export const payOutStore = {
  get: (applicationId: string, payOutId: string): Promise<PayOut | undefined> =>
    getRecord(keys.payOut(applicationId, payOutId), readPayOut),

  write: (payOut: PayOut): Write => ({
    Put: {
      Item: { ...keys.payOut(payOut.applicationId, payOut.payOutId), ...payOut },
      ConditionExpression: notExists,
    },
  }),
};
