import { afterEach, describe, expect, test, vi } from 'vitest';
import { freshAddress } from '../../../support/call.ts';
import { checkIn, newAccount, stored, trustedAccount } from '../../../support/devices/accounts.ts';
import { countCalls } from '../../../support/faults.ts';

const start = Date.parse('2026-03-01T10:00:00.123Z');

afterEach(() => {
  vi.useRealTimers();
});

describe('the limit of device checks', () => {
  const refusal = { error: 'Too many requests. Please try again later.' };

  test('allows 20 checks a minute from an address, and refuses the 21st with 429 and no record', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const sourceIp = freshAddress();
    const accounts = Array.from({ length: 21 }, newAccount);
    const responses = [];
    for (const account of accounts) responses.push(await checkIn(account, sourceIp));
    expect(responses.map(({ status }) => status)).toEqual([...Array(20).fill(200), 429]);
    expect(responses[20]?.body).toEqual(refusal);
    expect(responses[20]?.headers['retry-after']).toBe('60');
    expect(await Promise.all(accounts.map(stored.device))).toEqual([
      ...Array(20).fill(expect.anything()),
      undefined,
    ]);
    vi.setSystemTime(start + 60_000);
    expect((await checkIn(newAccount(), sourceIp)).status).toBe(200);
  });

  test('applies to trusted devices too', async () => {
    const account = await trustedAccount();
    const sourceIp = freshAddress();
    const statuses = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await checkIn(account, sourceIp)).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });

  test('allows exactly 20 of 50 concurrent checks to create a device', async () => {
    const { userId } = newAccount();
    const sourceIp = freshAddress();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => checkIn({ ...newAccount(), userId }, sourceIp)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30);
    expect(await stored.devices({ ...newAccount(), userId })).toHaveLength(20);
  });

  test('causes no call to the table after the first refusal', async () => {
    const sourceIp = freshAddress();
    for (let n = 0; n < 21; n += 1) await checkIn(newAccount(), sourceIp);
    expect(await countCalls(() => checkIn(newAccount(), sourceIp))).toEqual([]);
  });
});
