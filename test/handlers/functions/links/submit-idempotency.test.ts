import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../../functions/shared/table/table.ts';
import { call } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { goodLink, newParties, type Parties, submit } from '../../../support/samples/links.ts';
import { bearer, newUser } from '../../../support/tenants.ts';

const stored = ({ applicationId, userId }: Parties) => queryItems(keys.linkPartition(applicationId, userId));

const withKey = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': key } });

afterEach(() => {
  vi.useRealTimers();
});

describe('an Idempotency-Key', () => {
  test('returns the identical response to a repeated request, and stores nothing more', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const parties = await newParties();
    const key = withKey();
    const first = await submit(parties, 3, key);
    vi.setSystemTime(Date.now() + 24 * 3_600_000 - 1);
    const again = await submit(parties, 3, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await stored(parties)).toHaveLength(3);
    vi.setSystemTime(Date.now() + 1);
    expect((await submit(parties, 3, key)).text).not.toBe(first.text);
    expect(await stored(parties)).toHaveLength(6);
  });

  test('is refused with another body or another user', async () => {
    const parties = await newParties();
    const key = withKey();
    await submit(parties, 1, key);
    const { userId } = await newUser();
    for (const response of [
      await submit(parties, 2, key),
      await submit(parties, 1, { ...key, body: { limit: 1 } }),
      await submit({ ...parties, userId }, 1, key),
    ])
      expect([response.status, response.body.error]).toEqual([422, 'idempotency_mismatch']);
    expect(await stored(parties)).toHaveLength(1);
  });

  test('ignores the order of fields, unknown fields, and where the user is named', async () => {
    const parties = await newParties();
    const key = { 'idempotency-key': randomUUID() };
    const { title, url, platform } = goodLink;
    const first = await submit(parties, [{ title, url, platform }], { headers: key });
    const again = await call('links.submit', {
      headers: { ...bearer(parties.clientSecret), ...key },
      body: { userId: parties.userId, links: [{ platform, more: 1, url, title }] },
    });
    expect(again.text).toBe(first.text);
  });

  test('lets one of five equal concurrent requests store its links, and all get the same response', async () => {
    const parties = await newParties();
    const key = withKey();
    const responses = await Promise.all(Array.from({ length: 5 }, () => submit(parties, 5, key)));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    expect(await stored(parties)).toHaveLength(5);
  });

  test('of a request that stays in progress returns 409', async () => {
    const parties = await newParties();
    const conflict = Object.assign(new Error('conflict'), {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
    const fault = failTable((command) => (command.startsWith('TransactWrite') ? conflict : undefined));
    try {
      const response = await submit(parties, 1, withKey());
      expect([response.status, response.body.error]).toEqual([409, 'idempotency_in_progress']);
    } finally {
      fault.restore();
    }
  });
});
