import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deviceLimits } from '../../../../../functions/devices/device.ts';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { dynamodb } from '../../../../../functions/shared/table/table.ts';
import { type Account, checkIn, newAccount } from '../../../../support/devices/accounts.ts';
import { countCalls, failTable } from '../../../../support/faults.ts';

const start = Date.parse('2026-03-08T10:00:00Z');
const minuteMs = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Writes as many devices as an attacker with thousands of addresses would. */
async function seedFlood({ userId }: Account, count: number): Promise<void> {
  const batches = Array.from({ length: Math.ceil(count / 25) }, (_, batch) =>
    Array.from({ length: Math.min(25, count - batch * 25) }, (_, n) => {
      const deviceId = `client-${batch * 25 + n}`;
      const lastUsedAtMs = start;
      const device = {
        id: 'dev_01K5XKJ8M3TQ5S0V2N7R4W9YZA',
        userId,
        deviceId,
        deviceName: 'Chrome on Windows',
        os: 'Windows',
        isVerified: false,
        location: 'Unknown',
        isp: 'Unknown',
        ipAddress: '192.0.2.1',
        lastUsedAtMs,
        createdAtMs: lastUsedAtMs,
        expiresAtMs: lastUsedAtMs + deviceLimits.quarantineMs,
        ttl: Math.ceil((lastUsedAtMs + deviceLimits.quarantineMs) / 1_000),
      };
      return { PutRequest: { Item: { ...keys.quarantined(userId, deviceId), ...device } } };
    }),
  );
  const left = batches.values();
  const workers = Array.from({ length: 8 }, async () => {
    for (const batch of left)
      await dynamodb.send(new BatchWriteCommand({ RequestItems: { [process.env.TABLE_NAME ?? '']: batch } }));
  });
  await Promise.all(workers);
}

describe('a flood that leaves more devices than a user may have', () => {
  // DynamoDB takes a thousand writes a second for one user: more are throttled, and the owner's check is a 500.
  test('is trimmed a bounded number at a time', async () => {
    const account = newAccount();
    await seedFlood(account, 300);
    vi.setSystemTime(start + 11 * minuteMs);
    const calls = await countCalls(() => checkIn(account));
    expect(calls.filter((command) => command === 'DeleteItemCommand').length).toBeLessThanOrEqual(100);
  });

  test('quarantines the owner’s device all the same when the trimming fails', async () => {
    const account = newAccount();
    await seedFlood(account, 110);
    vi.setSystemTime(start + 11 * minuteMs);
    const throttling = Object.assign(new Error('throttled'), { name: 'ThrottlingException' });
    const fault = failTable((command) => (command === 'DeleteItemCommand' ? throttling : undefined));
    const answer = await checkIn(account).finally(fault.restore);
    expect([answer.status, answer.body.requiresMfa]).toEqual([200, true]);
  });
});
