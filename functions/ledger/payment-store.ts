import * as keys from '../shared/contract/keys.ts';
import { dayMs } from '../shared/runtime/clock.ts';
import { isId } from '../shared/runtime/ids.ts';
import { getRecord, recordReader } from '../shared/table/record.ts';
import { batchGetItems, notExists, type Write } from '../shared/table/table.ts';
import type { EarlyClaims } from './claims.ts';
import type { Payment, PaymentChange } from './payment.ts';
import { paymentListing } from './payment-listing.ts';

/** Gateways repeat events for days, and payments are reversed for months. */
const eventRetentionMs = 90 * dayMs;

export interface KnownPayment {
  payment: Payment | undefined;
  /** The claims that were reported before the payment. */
  early: EarlyClaims | undefined;
  /** The event was recorded before. */
  isRepeated: boolean;
}

export const readPayment = recordReader<Payment>(
  ['paymentId', 'status'],
  ['pk', 'sk', 'list', 'listedAt', 'listed'],
);
const readEarlyClaims = recordReader<EarlyClaims>(['sourceId', 'claims', 'revision']);

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

  /**
   * A payment by its id `pay_...`, strongly consistent. Another id is not looked up: at the gateway's id of a payment are
   * early claims, which is no payment.
   */
  async get(applicationId: string, paymentId: string): Promise<Payment | undefined> {
    if (!isId('pay', paymentId)) return undefined;
    return getRecord(keys.payment(applicationId, paymentId), readPayment);
  },

  async getAtGateway(
    applicationId: string,
    { paymentId, sourceId, eventId }: { paymentId: string; sourceId: string; eventId?: string | undefined },
  ): Promise<KnownPayment> {
    const payment = keys.payment(applicationId, paymentId);
    const early = keys.payment(applicationId, sourceId);
    const event = eventId === undefined ? undefined : keys.gatewayEvent(applicationId, eventId);
    const items = await batchGetItems([payment, early, ...(event === undefined ? [] : [event])]);
    const find = (key: { pk: string } | undefined) => key && items.find(({ pk }) => pk === key.pk);
    const found = find(payment);
    const foundEarly = find(early);
    return {
      payment: found && readPayment(found),
      early: foundEarly && readEarlyClaims(foundEarly),
      isRepeated: find(event) !== undefined,
    };
  },

  /** The write of a payment, on the condition that it is as it was read. */
  write({ previous, next }: PaymentChange): Write {
    const Item = { ...keys.payment(next.applicationId, next.paymentId), ...next, ...paymentListing(next) };
    return { Put: { Item, ...asRead(previous) } };
  },

  /** The write that removes the early claims of a payment, or the condition that there is none. */
  earlyClaimsRemoval(applicationId: string, sourceId: string, early: EarlyClaims | undefined): Write {
    const Key = keys.payment(applicationId, sourceId);
    return early === undefined
      ? { ConditionCheck: { Key, ...asRead(early) } }
      : { Delete: { Key, ...asRead(early) } };
  },

  /** The writes of an early claims, on the condition that its payment was not reported since. */
  earlyClaimsWrites(
    next: Omit<EarlyClaims, 'revision'>,
    paymentId: string,
    early: EarlyClaims | undefined,
  ): Write[] {
    const { applicationId, sourceId, recordedAtMs } = next;
    return [
      {
        Put: {
          Item: {
            ...keys.payment(applicationId, sourceId),
            ...next,
            revision: (early?.revision ?? 0) + 1,
            // The reversed payment may belong to no subscription, so that it is never reported.
            ...keys.timeToLive(recordedAtMs + eventRetentionMs),
          },
          ...asRead(early),
        },
      },
      {
        ConditionCheck: { Key: keys.payment(applicationId, paymentId), ConditionExpression: notExists },
      },
    ];
  },

  eventWrite(
    applicationId: string,
    { eventId, paymentId, nowMs }: { eventId: string; paymentId: string; nowMs: number },
  ): Write {
    return {
      Put: {
        Item: {
          ...keys.gatewayEvent(applicationId, eventId),
          paymentId,
          recordedAtMs: nowMs,
          ...keys.timeToLive(nowMs + eventRetentionMs),
        },
        ConditionExpression: notExists,
      },
    };
  },
};

function asRead(read: Pick<Payment, 'revision'> | undefined) {
  if (read === undefined) return { ConditionExpression: notExists };
  return {
    ConditionExpression: '#revision = :revision',
    ExpressionAttributeNames: { '#revision': 'revision' },
    ExpressionAttributeValues: { ':revision': read.revision },
  };
}
