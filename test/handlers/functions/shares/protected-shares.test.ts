/** Shares with the optional fields: a share proof, limited views, a receipt. */

import { randomBytes } from 'node:crypto';
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../functions/shared/runtime/duration.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, freshAddress } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import {
  accessProof as access_proof,
  burnShare,
  createdShare,
  largeBlob,
  openShare,
  payloadItems,
  readReceipt,
  shareProof,
  times,
  wrongProof,
} from '../../../support/protected-shares.ts';
import { sharePayload } from '../../../support/samples/requests.ts';

const gone = { error: 'Link not found or expired' };
const wrong = { error: 'Wrong or missing share proof' };
const limited = { error: 'Too many requests' };
const hourStart = Date.parse('2026-03-01T10:00:00Z');
const now = hourStart + 20 * minuteMs;
const at = (ms: number) => new Date(ms).toISOString();

const small = randomBytes(100).toString('base64');
const repeated = async (count: number, work: () => Promise<{ status: number }>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i += 1) statuses.push((await work()).status);
  return statuses;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('POST /api/share', () => {
  test('answers a receipt token only when it is asked for', async () => {
    expect((await call('shares.create', { body: { ...sharePayload, receipt: true } })).body).toEqual({
      success: true,
      shareId: expect.any(String),
      expiresAt: expect.any(String),
      receiptToken: expect.stringMatching(/^vsr_[A-Za-z0-9_-]{22}$/),
    });
    for (const body of [{ receipt: false }, { max_views: 2 }, { access_proof }])
      expect((await createdShare(body)).token).toBeUndefined();
  });

  test('stores neither the receipt token nor the share proof', async () => {
    const { id, token } = await createdShare({ receipt: true, access_proof });
    const head = JSON.stringify(await getItem(keys.share(id)));
    expect(head).toContain(access_proof);
    expect(head).not.toContain(token);
    expect(head).not.toContain(shareProof);
  });
});

test.each([
  ['a one-time share', {}],
  ['a repeatable share', { one_time: false }],
  ['a share with a receipt', { receipt: true }],
])('a try of a proof of %s writes a small item, however large the share is', async (_, more) => {
  for (const bytes of [16 * 1024, 21 * 1024]) {
    const data_blob = randomBytes(bytes).toString('base64');
    const { id } = await createdShare({ ...more, data_blob, access_proof });
    await openShare(id, wrongProof());
    // DynamoDB bills the size of the whole item for each write of it.
    expect(itemBytes(await getItem(keys.share(id)))).toBeLessThan(20 * 1024);
    expect((await openShare(id, shareProof)).body.data_blob).toBe(data_blob);
  }
});

const itemBytes = (item: Record<string, unknown> = {}) =>
  Object.values(item).reduce<number>(
    (sum, value) => sum + (value instanceof Uint8Array ? value.length : JSON.stringify(value).length),
    0,
  );

/** Each way in which a share is stored that needs a proof. */
const kinds: [string, Record<string, unknown>][] = [
  ['a one-time share', {}],
  ['a repeatable share', { one_time: false }],
  ['a one-time share with a receipt, in parts', { receipt: true, data_blob: largeBlob }],
];

describe.each(kinds)('%s with an access proof', (_, more) => {
  const expected = { data_blob: sharePayload.data_blob, ...more }.data_blob;

  test('opens only with its share proof: a wrong or missing one opens nothing', async () => {
    const { id } = await createdShare({ ...more, access_proof });
    for (const proof of [undefined, '', wrongProof(), 'short', 'ü', `${shareProof}A`, access_proof]) {
      const refused = await openShare(id, proof);
      expect(refused.body).toEqual(wrong);
      expect(refused.status).toBe(403);
    }
    const { status, body } = await openShare(id, shareProof);
    expect(status).toBe(200);
    expect(body).toEqual({
      data_blob: expected,
      meta_blob: null,
      iv: sharePayload.iv,
      created_at: at(now),
    });
  });

  test('is limited after 30 wrong proofs in an hour of UTC, for the right one too, until the hour ends', async () => {
    const { id } = await createdShare({ ...more, access_proof });
    // The same wrong proof counts each time, and a missing one never.
    const proof = wrongProof();
    expect(await repeated(30, () => openShare(id, proof))).toEqual(Array(30).fill(403));
    expect((await openShare(id)).status).toBe(403);
    for (const proof of [wrongProof(), shareProof]) {
      const refused = await openShare(id, proof);
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual(limited);
      expect(refused.headers['retry-after']).toBe('2400');
    }
    vi.setSystemTime(hourStart + hourMs - 1);
    expect((await openShare(id, shareProof)).headers['retry-after']).toBe('1');
    vi.setSystemTime(hourStart + hourMs);
    expect((await openShare(id, wrongProof())).status).toBe(403);
    expect((await openShare(id, shareProof)).status).toBe(200);
  });
});

test('compares no more than 30 of 40 concurrent wrong proofs', async () => {
  const { id } = await createdShare({ access_proof });
  const answers = await Promise.all(times(40, () => openShare(id, wrongProof())));
  const compared = answers.filter(({ status }) => status === 403);
  // A try that is sent again counts twice, which happens on a busy machine.
  expect(compared.length).toBeGreaterThan(0);
  expect(compared.length).toBeLessThanOrEqual(30);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40 - compared.length);
});

test('a share without an access proof ignores a share proof', async () => {
  for (const more of [
    {},
    { one_time: false },
    { max_views: 2 },
    { receipt: true },
    { data_blob: largeBlob },
  ]) {
    const { id } = await createdShare(more);
    expect((await openShare(id, wrongProof())).status).toBe(200);
  }
});

describe('a share with limited views', () => {
  test.each([
    ['of one item', small],
    ['in parts', largeBlob],
  ])('opens that often, and its payload is removed with the last view, %s', async (_, data_blob) => {
    const { id } = await createdShare({ max_views: 3, data_blob, meta_blob: 'AQID' });
    const items = await payloadItems(id);
    for (let view = 1; view <= 3; view += 1) {
      expect(await payloadItems(id)).toBe(items);
      expect((await openShare(id)).body).toMatchObject({ data_blob, meta_blob: 'AQID' });
    }
    expect(await payloadItems(id)).toBe(0);
    expect((await openShare(id)).body).toEqual(gone);
  });
});

const stored = {
  status: 'stored',
  views: 0,
  max_views: 1,
  first_opened_at: null,
  last_opened_at: null,
  created_at: at(now),
  expires_at: at(now + dayMs),
  burned_at: null,
};

describe('GET /api/share/receipt', () => {
  test('tells when a share was opened, how often, and how often it opens', async () => {
    const share = await createdShare({ receipt: true, max_views: 3 });
    expect((await readReceipt(share)).body).toEqual({ ...stored, max_views: 3 });
    vi.setSystemTime(now + minuteMs);
    await openShare(share.id);
    const once = { status: 'opened', first_opened_at: at(now + minuteMs), max_views: 3 };
    expect((await readReceipt(share)).body).toEqual({
      ...stored,
      ...once,
      views: 1,
      last_opened_at: at(now + minuteMs),
    });
    vi.setSystemTime(now + hourMs);
    await openShare(share.id);
    expect((await readReceipt(share)).body).toEqual({
      ...stored,
      ...once,
      views: 2,
      last_opened_at: at(now + hourMs),
    });
  });

  test('tells that a share expired unopened, until 30 days after', async () => {
    const share = await createdShare({ receipt: true });
    vi.setSystemTime(now + dayMs);
    expect((await readReceipt(share)).body).toEqual({ ...stored, status: 'expired' });
    vi.setSystemTime(now + 31 * dayMs - 1);
    expect((await readReceipt(share)).status).toBe(200);
    vi.setSystemTime(now + 31 * dayMs);
    expect((await readReceipt(share)).body).toEqual(gone);
    expect((await burnShare(share)).body).toEqual(gone);
  });

  test('opens nothing, and a repeatable share with a receipt opens 100 times', async () => {
    const share = await createdShare({ receipt: true, one_time: false });
    await readReceipt(share);
    expect((await readReceipt(share)).body).toEqual({ ...stored, max_views: 100 });
  });

  test('outlives the payload: the head is kept for 30 days more', async () => {
    const { id } = await createdShare({ receipt: true });
    const ttl = (now + dayMs) / secondMs;
    expect((await getItem(keys.sharePart(id, 1)))?.ttl).toBe(ttl);
    const head = await getItem(keys.share(id));
    expect(head?.ttl).toBe(ttl + (30 * dayMs) / secondMs);
    for (const attribute of ['data', 'meta', 'iv', 'tail']) expect(head).not.toHaveProperty(attribute);
  });
});

describe.each([
  ['GET /api/share/receipt', readReceipt],
  ['DELETE /api/share', burnShare],
])('%s', (_, request) => {
  test('answers the same to a wrong token, a share without a receipt and an unknown id', async () => {
    const { id, token } = await createdShare({ receipt: true });
    const without = await createdShare({ max_views: 2 });
    const contract = await createdShare({});
    const cases = [
      { id, token: '' },
      { id, token: `vsr_${'A'.repeat(22)}` },
      { id, token: token.toUpperCase() },
      { id: without.id, token },
      { id: contract.id, token },
      { id: `a${'A'.repeat(22)}`, token },
      { id: 'nonsense', token },
    ];
    for (const one of cases) {
      const { status, body } = await request(one);
      expect(status).toBe(404);
      expect(body).toEqual(gone);
    }
    for (const one of [id, without.id, contract.id]) expect((await openShare(one)).status).toBe(200);
  });
});

test('receipts and burns together are limited to 60 a minute for an address, and burn nothing beyond', async () => {
  const share = await createdShare({ receipt: true });
  const headers = { 'x-receipt-token': share.token };
  const request = { query: { id: share.id }, headers, sourceIp: freshAddress() };
  expect(await repeated(60, () => call('shares.receipt', request))).toEqual(Array(60).fill(200));
  for (const route of ['shares.burn', 'shares.receipt'])
    expect((await call(route, request)).body).toEqual(limited);
  expect((await openShare(share.id)).status).toBe(200);
});

describe('DELETE /api/share', () => {
  test.each([
    ['of one item', {}],
    ['in parts', { data_blob: largeBlob }],
  ])('burns a share %s: its payload is gone before the answer', async (_, more) => {
    const share = await createdShare({ ...more, receipt: true });
    vi.setSystemTime(now + minuteMs);
    const burned = { ...stored, status: 'burned', burned_at: at(now + minuteMs) };
    expect((await burnShare(share)).body).toEqual(burned);
    expect(await payloadItems(share.id)).toBe(0);
    expect((await openShare(share.id)).body).toEqual(gone);
    vi.setSystemTime(now + hourMs);
    expect((await burnShare(share)).body).toEqual(burned);
    expect((await readReceipt(share)).body).toEqual(burned);
  });

  test('burns what is left of the views', async () => {
    const share = await createdShare({ receipt: true, max_views: 2 });
    await openShare(share.id);
    expect((await burnShare(share)).body).toMatchObject({ status: 'burned', views: 1, max_views: 2 });
    expect((await openShare(share.id)).status).toBe(404);
  });

  test('leaves the status of a share that was opened to the end, or has expired', async () => {
    const opened = await createdShare({ receipt: true });
    const expired = await createdShare({ receipt: true });
    await openShare(opened.id);
    expect((await burnShare(opened)).body).toMatchObject({ status: 'opened', views: 1, burned_at: null });
    vi.setSystemTime(now + dayMs);
    expect((await burnShare(expired)).body).toMatchObject({ status: 'expired', burned_at: null });
    expect((await readReceipt(expired)).body).toMatchObject({ status: 'expired', burned_at: null });
  });
});

test.each([
  ['a one-time share', {}, 'SET claim'],
  ['a share with two views', { max_views: 2 }, 'ADD claims'],
])('the claim of %s compares the share proof once more in its condition', async (_, more, claiming) => {
  const { id } = await createdShare({ ...more, access_proof });
  const inputs: UpdateCommandInput[] = [];
  const watch = failTable((_, __, input) => void inputs.push(input as UpdateCommandInput));
  await openShare(id, shareProof).finally(watch.restore);
  const claim = inputs.find(({ UpdateExpression }) => UpdateExpression?.startsWith(claiming));
  expect(claim?.ConditionExpression).toContain('accessProof = :proof');
  expect(claim?.ExpressionAttributeValues).toMatchObject({ ':proof': access_proof });
});
