/** Shares with the optional fields: a share proof, limited views, a receipt. */

import { randomBytes } from 'node:crypto';
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../functions/shared/runtime/duration.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, freshAddress } from '../../../support/call.ts';
import { failTable, roundTrips } from '../../../support/faults.ts';
import {
  accessProof as access_proof,
  burnShare,
  createdShare,
  largeBlob,
  openShare,
  payloadItems,
  readReceipt,
  shareProof,
  wrongProof,
} from '../../../support/protected-shares.ts';
import { sharePayload } from '../../../support/samples/requests.ts';

const gone = { error: 'Link not found or expired' };
const wrong = { error: 'Wrong or missing share proof' };
const limited = { error: 'Too many requests' };
const hourStart = Date.parse('2026-03-01T10:00:00Z');
const now = hourStart + 20 * minuteMs;
const at = (ms: number) => new Date(ms).toISOString();

const create = (body: Record<string, unknown>) =>
  call('shares.create', { body: { ...sharePayload, ...body } });
const repeated = async (times: number, work: () => Promise<{ status: number }>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1) statuses.push((await work()).status);
  return statuses;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('POST /api/share', () => {
  test.each([
    ['access_proof', 'A'.repeat(64)],
    ['access_proof', 'a'.repeat(63)],
    ['access_proof', ''],
    ['access_proof', null],
    ['max_views', 0],
    ['max_views', 101],
    ['max_views', 1.5],
    ['max_views', '2'],
    ['max_views', null],
    ['receipt', 'true'],
    ['receipt', null],
  ])('refuses %s %j', async (field, value) => {
    const { status, body } = await create({ [field]: value });
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'Invalid payload', details: { [field]: expect.any(String) } });
  });

  test('refuses one_time true together with more than one view', async () => {
    const { status, body } = await create({ one_time: true, max_views: 2 });
    expect(status).toBe(400);
    expect(body).toEqual({
      error: 'Invalid payload',
      details: { max_views: 'must be 1 for a share with one_time' },
    });
    expect((await create({ one_time: true, max_views: 1 })).status).toBe(200);
  });

  test('answers a receipt token only when it is asked for', async () => {
    expect((await create({ receipt: true })).body).toEqual({
      success: true,
      shareId: expect.any(String),
      expiresAt: expect.any(String),
      receiptToken: expect.stringMatching(/^vsr_[A-Za-z0-9_-]{22}$/),
    });
    for (const body of [{ receipt: false }, { max_views: 2 }, { access_proof }])
      expect((await create(body)).body).not.toHaveProperty('receiptToken');
  });

  test('stores neither the receipt token nor the share proof', async () => {
    const { id, token } = await createdShare({ receipt: true, access_proof });
    const head = JSON.stringify(await getItem(keys.share(id)));
    expect(head).toContain(access_proof);
    expect(head).not.toContain(token);
    expect(head).not.toContain(shareProof);
  });

  test('stores a share with max_views 1 alone as every other one-time share', async () => {
    expect((await createdShare({ max_views: 1 })).id).toMatch(/^o/);
    expect((await createdShare({ one_time: false, max_views: 1 })).id).toMatch(/^o/);
  });
});

test.each([
  ['a one-time share', {}],
  ['a repeatable share', { one_time: false }],
  ['a share with a receipt', { receipt: true }],
])('a try of a proof of %s writes a small item, however large the share is', async (_, more) => {
  for (const bytes of [16 * 1024, 16 * 1024 + 1, 300 * 1024, 1024 * 1024]) {
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
  ['a one-time share of 100 KiB', { data_blob: randomBytes(100 * 1024).toString('base64') }],
  ['a one-time share in parts', { data_blob: largeBlob }],
  ['a repeatable share', { one_time: false }],
  ['a share with two views', { max_views: 2 }],
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
    expect(await repeated(30, () => openShare(id, wrongProof()))).toEqual(Array(30).fill(403));
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

  test('counts the same wrong proof each time, and a missing one never', async () => {
    const { id } = await createdShare({ ...more, access_proof });
    expect(await repeated(31, () => openShare(id))).toEqual(Array(31).fill(403));
    expect(await repeated(31, () => openShare(id, 'a'.repeat(43)))).toEqual([...Array(30).fill(403), 429]);
    expect((await openShare(id)).status).toBe(403);
  });

  test('is absent for every proof once it has expired', async () => {
    const { id } = await createdShare({ ...more, access_proof, expires_in_hours: 1 });
    const stored = await getItem(keys.share(id));
    vi.setSystemTime(now + hourMs);
    for (const proof of [undefined, wrongProof(), shareProof]) {
      expect((await openShare(id, proof)).body).toEqual(gone);
    }
    expect(await getItem(keys.share(id))).toEqual(stored);
  });

  test('compares no more than 30 of 80 concurrent wrong proofs', async () => {
    const { id } = await createdShare({ ...more, access_proof });
    const answers = await Promise.all(Array.from({ length: 80 }, () => openShare(id, wrongProof())));
    const compared = answers.filter(({ status }) => status === 403);
    // A try that is sent again counts twice, which happens to large shares on a busy machine.
    expect(compared.length).toBeGreaterThan(0);
    expect(compared.length).toBeLessThanOrEqual(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(80 - compared.length);
  });
});

test('a right proof is not counted, so a share of 100 views opens 100 times in an hour', async () => {
  const { id } = await createdShare({ max_views: 100, access_proof });
  expect(await repeated(101, () => openShare(id, shareProof))).toEqual([...Array(100).fill(200), 404]);
  expect(await payloadItems(id)).toBe(0);
});

test('a used-up share with an access proof is absent for every proof', async () => {
  for (const more of [{}, { data_blob: largeBlob }, { max_views: 1, receipt: true }]) {
    const { id } = await createdShare({ ...more, access_proof });
    expect((await openShare(id, shareProof)).status).toBe(200);
    for (const proof of [undefined, wrongProof(), shareProof])
      expect((await openShare(id, proof)).body).toEqual(gone);
  }
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

test('an id of a share with a proof whose letter was changed by hand opens nothing', async () => {
  const { id } = await createdShare({ access_proof });
  for (const letter of ['o', 'l', 'm', 'a'])
    expect((await openShare(letter + id.slice(1), shareProof)).body).toEqual(gone);
  expect((await openShare(id, shareProof)).status).toBe(200);
});

describe('a share with limited views', () => {
  test.each([
    ['of one item', 100],
    ['in parts', 1024 * 1024],
  ])('opens that often, and its payload is removed with the last view, %s', async (_, bytes) => {
    const data_blob = randomBytes(bytes).toString('base64url');
    const { id } = await createdShare({ max_views: 3, data_blob, meta_blob: 'AQID' });
    const items = await payloadItems(id);
    for (let view = 1; view <= 3; view += 1) {
      expect(await payloadItems(id)).toBe(items);
      expect((await openShare(id)).body).toMatchObject({ data_blob, meta_blob: 'AQID' });
    }
    expect(await payloadItems(id)).toBe(0);
    expect((await openShare(id)).body).toEqual(gone);
  });

  test('opens until it expires', async () => {
    const { id } = await createdShare({ max_views: 3, expires_in_hours: 1 });
    vi.setSystemTime(now + hourMs - 1);
    expect((await openShare(id)).status).toBe(200);
    vi.setSystemTime(now + hourMs);
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

  test('tells that a share was opened also after it expired', async () => {
    const share = await createdShare({ receipt: true });
    await openShare(share.id);
    vi.setSystemTime(now + 20 * dayMs);
    expect((await readReceipt(share)).body).toMatchObject({ status: 'opened', views: 1 });
  });

  test('opens nothing, and a repeatable share with a receipt opens 100 times', async () => {
    const share = await createdShare({ receipt: true, one_time: false });
    for (let i = 0; i < 3; i += 1)
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

test('receipts and burns together are limited to 60 a minute for an address', async () => {
  const { id, token } = await createdShare({ receipt: true, max_views: 2 });
  const request = { query: { id }, headers: { 'x-receipt-token': token }, sourceIp: freshAddress() };
  expect(await repeated(59, () => call('shares.receipt', request))).toEqual(Array(59).fill(200));
  expect((await call('shares.burn', request)).status).toBe(200);
  for (const route of ['shares.burn', 'shares.receipt'])
    expect((await call(route, request)).body).toEqual(limited);
});

test('a burn over the limit burns nothing', async () => {
  const share = await createdShare({ receipt: true });
  const request = { query: { id: share.id }, headers: { 'x-receipt-token': share.token } };
  const sourceIp = freshAddress();
  await repeated(60, () => call('shares.receipt', { ...request, sourceIp }));
  expect((await call('shares.burn', { ...request, sourceIp })).status).toBe(429);
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

  test('needs no share proof', async () => {
    const share = await createdShare({ receipt: true, access_proof });
    expect((await burnShare(share)).body.status).toBe('burned');
    for (const proof of [undefined, wrongProof(), shareProof])
      expect((await openShare(share.id, proof)).body).toEqual(gone);
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

describe('the round trips', () => {
  const get = 'GetItemCommand';
  const update = 'UpdateItemCommand';
  const remove = 'DeleteItemCommand';

  test.each([
    ['a one-time share', {}, [[update, update], [update]]],
    ['a repeatable share', { one_time: false }, [[get, update, update]]],
    [
      'a one-time share of 1 MiB',
      { data_blob: largeBlob },
      [[get, update, update], [get, get, update], [update], [remove, remove, remove]],
    ],
    [
      'a repeatable share of 1 MiB',
      { one_time: false, data_blob: largeBlob },
      [
        [get, update, update],
        [get, get, update],
      ],
    ],
  ])('of opening %s with its proof are as many as without', async (_, more, expected) => {
    const { id } = await createdShare({ ...more, access_proof });
    expect(await roundTrips(() => openShare(id, shareProof))).toEqual(expected);
    const without = await createdShare(more);
    expect(await roundTrips(() => openShare(without.id))).toHaveLength(expected.length);
  });

  test('of opening a share with two views are two, and three for the last view', async () => {
    const { id } = await createdShare({ max_views: 2 });
    const first = [[get, get, update], [update]];
    expect(await roundTrips(() => openShare(id))).toEqual(first);
    expect(await roundTrips(() => openShare(id))).toEqual([...first, [remove]]);
  });

  test('of a wrong proof and of an absent share are one', async () => {
    const { id } = await createdShare({ access_proof });
    expect(await roundTrips(() => openShare(id, wrongProof()))).toHaveLength(1);
    for (const letter of ['a', 'p'])
      expect(await roundTrips(() => openShare(letter + 'A'.repeat(22), shareProof))).toHaveLength(1);
  });

  test('of a receipt are one, and of a burn three', async () => {
    const share = await createdShare({ receipt: true });
    expect(await roundTrips(() => readReceipt(share))).toEqual([[get, update]]);
    expect(await roundTrips(() => burnShare(share))).toEqual([[update], [update], [remove]]);
  });
});
