import { keys, tableSchema } from '../../shared/contract/keys.ts';
import { batchGetItems, type Item, type Write } from '../../shared/table/table.ts';

/** A payment of a gateway: what it paid, and whether it was taken back. */
export interface Payment {
  applicationId: string;
  paymentId: string;
  /** `waiting`: it was taken back before anybody heard of it. `unapplied`: it bought nothing. */
  status: 'applied' | 'unapplied' | 'reversed' | 'waiting';
  invoiceId?: string;
  /** Applied, though it was known to be taken back: that is done right after. */
  reversalOf?: true;
  atMs: number;
}

const notExists = `attribute_not_exists(${tableSchema.partitionKey})`;
/** Gateways repeat events for days, and payments are taken back for months. */
const eventRetentionMs = 90 * 24 * 3_600_000;

/** What gateways reported. */
export const paymentStore = {
  /** A payment and an event, side by side. */
  async seen(
    applicationId: string,
    { paymentId, eventId }: { paymentId: string; eventId: string },
  ): Promise<{ payment: Payment | undefined; isRepeated: boolean }> {
    const payment = keys.payment(applicationId, paymentId);
    const event = keys.gatewayEvent(applicationId, eventId);
    const items = await batchGetItems([payment, event]);
    const find = (key: { pk: string }) => items.find(({ pk }) => pk === key.pk);
    return { payment: find(payment) as (Item & Payment) | undefined, isRepeated: find(event) !== undefined };
  },

  /** Writes that record an event, once, and what became of its payment. @param seen the payment as it was read. */
  recording(payment: Payment, eventId: string, seen: Payment | undefined): Write[] {
    const { applicationId, paymentId, atMs } = payment;
    const unchanged =
      seen === undefined
        ? { ConditionExpression: notExists }
        : {
            ConditionExpression: '#status = :seen',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: { ':seen': seen.status },
          };
    const expiresAtSeconds = Math.ceil((atMs + eventRetentionMs) / 1000);
    return [
      {
        Put: {
          Item: {
            ...keys.payment(applicationId, paymentId),
            ...payment,
            // It may be of a payment that is not ours.
            ...(payment.status === 'waiting' && { [tableSchema.timeToLive]: expiresAtSeconds }),
          },
          ...unchanged,
        },
      },
      {
        Put: {
          Item: {
            ...keys.gatewayEvent(applicationId, eventId),
            paymentId,
            atMs,
            [tableSchema.timeToLive]: expiresAtSeconds,
          },
          ConditionExpression: notExists,
        },
      },
    ];
  },
};
