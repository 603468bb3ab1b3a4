import { keys } from '../../shared/contract/keys.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { deleteItem, queryItems, updateItem } from '../../shared/table/table.ts';
import { type Alert, alertKey, leaseEndMs } from './alert.ts';

/** Alerts that are due, in the table. An alert is created in the transaction that trusts its device. */
export const alertStore = {
  /** The alerts of a shard, including leased ones. */
  async list(shard: number): Promise<Alert[]> {
    return (await queryItems(keys.alertPartition(shard), '', 1)) as unknown as Alert[];
  },

  /**
   * Leases an alert for one more attempt, once its previous lease has ended.
   *
   * @returns undefined when another sender has leased or sent it.
   */
  async claim(alert: Alert, nowMs: number): Promise<Alert | undefined> {
    const leaseId = randomToken();
    const outcome = await updateItem(alertKey(alert), {
      UpdateExpression: 'SET leasedUntilMs = :until, leaseId = :lease, attempts = attempts + :one',
      ConditionExpression: 'leasedUntilMs = :previous AND leasedUntilMs <= :now',
      ExpressionAttributeValues: {
        ':until': leaseEndMs(alert.attempts, nowMs),
        ':lease': leaseId,
        ':one': 1,
        ':previous': alert.leasedUntilMs,
        ':now': nowMs,
      },
      guard: { once: 'leasedUntilMs' },
      isOwn: (stored) => stored.leaseId === leaseId,
    });
    return outcome.done ? (outcome.item as unknown as Alert) : undefined;
  },

  async remove(alert: Alert): Promise<void> {
    await deleteItem(alertKey(alert), { guard: { harmless: 'the id of an alert is used once' } });
  },
};
