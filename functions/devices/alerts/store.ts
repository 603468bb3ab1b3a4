import * as keys from '../../shared/contract/keys.ts';
import { copyLeaseMs, retryDelayMs } from '../../shared/mail/attempts.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { type Page, queryPage } from '../../shared/table/query.ts';
import { recordReader } from '../../shared/table/record.ts';
import { deleteItem, updateItem } from '../../shared/table/table.ts';
import { type Alert, alertKey } from './alert.ts';

/** A page of the alerts of a shard. `next` is the `startAfter` of the next page; undefined on the last one. */
export interface AlertPage {
  alerts: Alert[];
  next: Page['lastKey'];
}

const readAlert = recordReader<Alert>(['alertId', 'to']);

/** Alerts that are due, in the table. An alert is created in the transaction that trusts its device. */
export const alertStore = {
  /** Alerts of a shard, including leased ones. */
  async list(shard: number, limit: number, startAfter?: Page['lastKey']): Promise<AlertPage> {
    const partition = keys.alertPartition(shard);
    const { items, lastKey } = await queryPage({ partition, limit, startAfter });
    return { alerts: items.map(readAlert), next: lastKey };
  },

  /**
   * Leases an alert for one more try, once its previous lease has ended, and counts the try as a possible copy.
   *
   * @returns undefined when another sender has leased or sent it.
   */
  async claim(alert: Alert, nowMs: number): Promise<Alert | undefined> {
    const copies = alert.possibleCopies + 1;
    const leaseId = randomToken();
    const outcome = await updateItem(alertKey(alert), {
      UpdateExpression:
        'SET leasedUntilMs = :until, leaseId = :lease, attempts = attempts + :one, possibleCopies = :copies',
      ConditionExpression: 'leasedUntilMs = :previous AND leasedUntilMs <= :now',
      ExpressionAttributeValues: {
        ':until': nowMs + copyLeaseMs(copies),
        ':lease': leaseId,
        ':one': 1,
        ':copies': copies,
        ':previous': alert.leasedUntilMs,
        ':now': nowMs,
      },
      guard: { once: 'leasedUntilMs' },
      isOwn: (stored) => stored.leaseId === leaseId,
    });
    return outcome.done ? readAlert(outcome.item) : undefined;
  },

  /** Takes back the copy of a try that certainly sent nothing, and sets the time of the next try. */
  async release(alert: Alert, nowMs: number): Promise<void> {
    await updateItem(alertKey(alert), {
      UpdateExpression: 'SET leasedUntilMs = :until, possibleCopies = :copies',
      ConditionExpression: 'leasedUntilMs = :previous',
      ExpressionAttributeValues: {
        ':until': nowMs + retryDelayMs(alert.attempts),
        ':copies': alert.possibleCopies - 1,
        ':previous': alert.leasedUntilMs,
      },
      guard: { once: 'leasedUntilMs' },
    });
  },

  async remove(alert: Alert): Promise<void> {
    await deleteItem(alertKey(alert), { guard: { harmless: 'the id of an alert is used once' } });
  },
};
