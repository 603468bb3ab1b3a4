import { defined } from '../../shared/contract/defined.ts';
import { keys } from '../../shared/contract/keys.ts';
import { timeToLive } from '../../shared/contract/time-to-live.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import { batchGetItems, type Item, notExists, type Write } from '../../shared/table/table.ts';
import type { Reversals } from './reversals.ts';

/** A payment at a gateway. Release 0.1.0 stored neither `reversals` nor `revision`. */
export interface Payment {
  applicationId: string;
  paymentId: string;
  /** `waiting`: the reversal was reported before the payment. `unapplied`: no invoice could be paid with it. */
  status: 'applied' | 'unapplied' | 'reversed' | 'waiting';
  invoiceId?: string;
  /** What reversed the payment, and what was reinstated. */
  reversals?: Reversals;
  /** The payment was applied although its reversal was known. The reversal follows at once. */
  reversalOf?: true;
  recordedAtMs: number;
  /** Incremented by every write; a write is conditioned on the revision that it read. */
  revision?: number;
}

/** Gateways repeat events for days, and payments are reversed for months. */
const eventRetentionMs = 90 * dayMs;

/** Payments and events that gateways reported. */
export const paymentStore = {
  /** The condition of a write that the sandbox is the gateway of the application. */
  sandboxCondition(applicationId: string): Write {
    return {
      ConditionCheck: {
        Key: keys.application(applicationId),
        ConditionExpression: '#settings.#gateway = :sandbox',
        ExpressionAttributeNames: { '#settings': 'settings', '#gateway': 'paymentGateway' },
        ExpressionAttributeValues: { ':sandbox': 'sandbox' },
      },
    };
  },

  /** The payment, and whether the event was recorded before. */
  async get(
    applicationId: string,
    { paymentId, eventId }: { paymentId: string; eventId: string },
  ): Promise<{ payment: Payment | undefined; isRepeated: boolean }> {
    const payment = keys.payment(applicationId, paymentId);
    const event = keys.gatewayEvent(applicationId, eventId);
    const items = await batchGetItems([payment, event]);
    const find = (key: { pk: string }) => items.find(({ pk }) => pk === key.pk);
    return { payment: find(payment) as (Item & Payment) | undefined, isRepeated: find(event) !== undefined };
  },

  /**
   * The writes that record an event once, with the new state of its payment.
   *
   * @param previous the payment as read.
   */
  recordingWrites(payment: Payment, eventId: string, previous: Payment | undefined): Write[] {
    const { applicationId, paymentId, recordedAtMs } = payment;
    const isAsRead =
      previous === undefined
        ? { ConditionExpression: notExists }
        : {
            ConditionExpression: `#status = :previous AND ${previous.revision === undefined ? 'attribute_not_exists(#revision)' : '#revision = :revision'}`,
            ExpressionAttributeNames: { '#status': 'status', '#revision': 'revision' },
            ExpressionAttributeValues: {
              ':previous': previous.status,
              ...defined({ ':revision': previous.revision }),
            },
          };
    const ttl = timeToLive(recordedAtMs + eventRetentionMs);
    // The reversed payment may belong to no subscription, so that it is never reported: the item expires.
    const paymentTtl = payment.status === 'waiting' ? ttl : {};
    return [
      {
        Put: {
          Item: {
            ...keys.payment(applicationId, paymentId),
            ...payment,
            revision: (previous?.revision ?? 0) + 1,
            ...paymentTtl,
          },
          ...isAsRead,
        },
      },
      {
        Put: {
          Item: {
            ...keys.gatewayEvent(applicationId, eventId),
            paymentId,
            recordedAtMs,
            ...ttl,
          },
          ConditionExpression: notExists,
        },
      },
    ];
  },
};
