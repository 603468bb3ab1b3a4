import { defined } from '../../shared/contract/defined.ts';
import { keys } from '../../shared/contract/keys.ts';
import { timeToLive } from '../../shared/contract/time-to-live.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import { isId } from '../../shared/runtime/ids.ts';
import { batchGetItems, getItem, type Item, notExists, type Write } from '../../shared/table/table.ts';
import type { FormerPayment } from './former.ts';
import type { Payment, PaymentChange } from './payment.ts';
import { paymentListing } from './payment-listing.ts';

/** Gateways repeat events for days, and payments are reversed for months. */
const eventRetentionMs = 90 * dayMs;

/** What is known of a payment at a gateway. */
export interface KnownPayment {
  payment: Payment | undefined;
  /** The item at the gateway's id. */
  former: FormerPayment | undefined;
  /** The event was recorded before. */
  isRepeated: boolean;
}

/** Payments, and the events with which gateways report them. */
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
   * A payment by its id `pay_...`, strongly consistent. Another id is not looked up: at the gateway's id lies what release
   * 0.1.0 recorded, which is no payment record.
   */
  async get(applicationId: string, paymentId: string): Promise<Payment | undefined> {
    if (!isId('pay', paymentId)) return undefined;
    const item = await getItem(keys.payment(applicationId, paymentId));
    return item && paymentOf(item);
  },

  /** A payment at a gateway by both ids, and whether the event was recorded before. */
  async getAtGateway(
    applicationId: string,
    { paymentId, sourceId, eventId }: { paymentId: string; sourceId: string; eventId?: string | undefined },
  ): Promise<KnownPayment> {
    const payment = keys.payment(applicationId, paymentId);
    const former = keys.payment(applicationId, sourceId);
    const event = eventId === undefined ? undefined : keys.gatewayEvent(applicationId, eventId);
    const items = await batchGetItems([payment, former, ...(event === undefined ? [] : [event])]);
    const find = (key: { pk: string } | undefined) => key && items.find(({ pk }) => pk === key.pk);
    const found = find(payment);
    return {
      payment: found && paymentOf(found),
      former: find(former) as (Item & FormerPayment) | undefined,
      isRepeated: find(event) !== undefined,
    };
  },

  /** The write of a payment, on the condition that it is as it was read. */
  write({ previous, next }: PaymentChange): Write {
    const Item = { ...keys.payment(next.applicationId, next.paymentId), ...next, ...paymentListing(next) };
    // A payment of release 0.1.0 has no record of its own until it changes.
    if (previous === undefined || previous.revision === 0)
      return { Put: { Item, ConditionExpression: notExists } };
    return {
      Put: {
        Item,
        ConditionExpression: '#revision = :revision',
        ExpressionAttributeNames: { '#revision': 'revision' },
        ExpressionAttributeValues: { ':revision': previous.revision },
      },
    };
  },

  /** The write that removes the item at the gateway's id, or the condition that there is none. */
  formerRemoval(applicationId: string, sourceId: string, former: FormerPayment | undefined): Write {
    const Key = keys.payment(applicationId, sourceId);
    if (former === undefined) return { ConditionCheck: { Key, ConditionExpression: notExists } };
    return { Delete: { Key, ...asRead(former) } };
  },

  /** The writes of a reversal that was reported before its payment, on the condition that it still was not. */
  waitingWrites(next: FormerPayment, paymentId: string, former: FormerPayment | undefined): Write[] {
    const { applicationId, paymentId: sourceId, recordedAtMs } = next;
    const condition = former === undefined ? { ConditionExpression: notExists } : asRead(former);
    return [
      {
        Put: {
          Item: {
            ...keys.payment(applicationId, sourceId),
            ...next,
            revision: (former?.revision ?? 0) + 1,
            // The reversed payment may belong to no subscription, so that it is never reported.
            ...timeToLive(recordedAtMs + eventRetentionMs),
          },
          ...condition,
        },
      },
      {
        ConditionCheck: { Key: keys.payment(applicationId, paymentId), ConditionExpression: notExists },
      },
    ];
  },

  /** The write that records an event of a gateway once. */
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
          ...timeToLive(nowMs + eventRetentionMs),
        },
        ConditionExpression: notExists,
      },
    };
  },
};

function paymentOf({
  pk: _pk,
  sk: _sk,
  list: _list,
  listedAt: _at,
  listed: _listed,
  ...fields
}: Item): Payment {
  return fields as unknown as Payment;
}

function asRead({ status, revision }: FormerPayment) {
  return {
    ConditionExpression: `#status = :status AND ${revision === undefined ? 'attribute_not_exists(#revision)' : '#revision = :revision'}`,
    ExpressionAttributeNames: { '#status': 'status', '#revision': 'revision' },
    ExpressionAttributeValues: {
      ':status': status,
      ...defined({ ':revision': revision }),
    },
  };
}
