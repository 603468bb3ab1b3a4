/** Shares with the optional fields: a share proof, limited views, a receipt; also under concurrency. */

import { randomBytes } from 'node:crypto';
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import type { Answered } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { loseAnswersTo } from '../../../support/interruptions/between.ts';
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
import { samples } from '../../../support/thoroughness.ts';

const gone = { error: 'Link not found or expired' };
const wrong = { error: 'Wrong or missing share proof' };
const limited = { error: 'Too many requests' };
const hourStart = Date.parse('2026-03-01T10:00:00Z');
const now = hourStart + 20 * minuteMs;
const at = (ms: number) => new Date(ms).toISOString();

const outcome = ({ status, body }: Answered) => [status, body];
const small = randomBytes(100).toString('base64');
const sizes = [
  ['of one item', small],
  ['in parts', largeBlob],
] as const;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
test('stores neither the receipt token nor the share proof', async () => {
  const { id, token } = await createdShare({ receipt: true, access_proof });
  expect(token).toMatch(/^vsr_[A-Za-z0-9_-]{22}$/);
  const head = JSON.stringify(await getItem(keys.share(id)));
  expect(head).toContain(access_proof);
  expect(head).not.toContain(token);
  expect(head).not.toContain(shareProof);
  for (const body of [{ receipt: false }, { max_views: 2 }, { access_proof }])
    expect((await createdShare(body)).token).toBeUndefined();
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
      expect(outcome(await openShare(id, proof))).toEqual([403, wrong]);
    }
    const body = { data_blob: expected, meta_blob: null, iv: sharePayload.iv, created_at: at(now) };
    expect(outcome(await openShare(id, shareProof))).toEqual([200, body]);
  });

  test('is limited after 30 wrong proofs in an hour of UTC, for the right one too, until the hour ends', async () => {
    const { id } = await createdShare({ ...more, access_proof });
    // The same wrong proof counts each time, and a missing one never.
    const proof = wrongProof();
    for (let n = 0; n < 30; n += 1) expect((await openShare(id, proof)).status).toBe(403);
    expect((await openShare(id)).status).toBe(403);
    for (const proof of [wrongProof(), shareProof]) {
      const refused = await openShare(id, proof);
      expect([...outcome(refused), refused.headers['retry-after']]).toEqual([429, limited, '2400']);
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
    for (const [views, ms] of [minuteMs, hourMs].entries()) {
      vi.setSystemTime(now + ms);
      await openShare(share.id);
      expect((await readReceipt(share)).body).toEqual({
        ...stored,
        status: 'opened',
        max_views: 3,
        views: views + 1,
        first_opened_at: at(now + minuteMs),
        last_opened_at: at(now + ms),
      });
    }
  });

  test('tells that a share expired unopened, until 30 days after, and outlives the payload', async () => {
    const share = await createdShare({ receipt: true });
    const ttl = (now + dayMs) / secondMs;
    expect((await getItem(keys.sharePart(share.id, 1)))?.ttl).toBe(ttl);
    const head = await getItem(keys.share(share.id));
    expect(head?.ttl).toBe(ttl + (30 * dayMs) / secondMs);
    for (const attribute of ['data', 'meta', 'iv', 'tail']) expect(head).not.toHaveProperty(attribute);
    vi.setSystemTime(now + dayMs);
    const expired = { ...stored, status: 'expired' };
    expect((await readReceipt(share)).body).toEqual(expired);
    expect((await burnShare(share)).body).toEqual(expired);
    vi.setSystemTime(now + 31 * dayMs - 1);
    expect((await readReceipt(share)).status).toBe(200);
    vi.setSystemTime(now + 31 * dayMs);
    for (const request of [readReceipt, burnShare]) expect((await request(share)).body).toEqual(gone);
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
      { id: without.id, token },
      { id: contract.id, token },
      { id: `a${'A'.repeat(22)}`, token },
    ];
    for (const one of cases) expect(outcome(await request(one))).toEqual([404, gone]);
    for (const one of [id, without.id, contract.id]) expect((await openShare(one)).status).toBe(200);
  });
});

describe('DELETE /api/share', () => {
  test.each(sizes)('burns a share %s: its payload is gone before the answer', async (_, data_blob) => {
    const share = await createdShare({ data_blob, receipt: true });
    vi.setSystemTime(now + minuteMs);
    const burned = { ...stored, status: 'burned', burned_at: at(now + minuteMs) };
    expect((await burnShare(share)).body).toEqual(burned);
    expect(await payloadItems(share.id)).toBe(0);
    expect((await openShare(share.id)).body).toEqual(gone);
    vi.setSystemTime(now + hourMs);
    expect((await burnShare(share)).body).toEqual(burned);
    expect((await readReceipt(share)).body).toEqual(burned);
  });

  test('burns what is left of the views, and leaves the status of a share that was opened to the end', async () => {
    for (const [max_views, status] of [
      [2, 'burned'],
      [1, 'opened'],
    ] as const) {
      const share = await createdShare({ receipt: true, max_views });
      await openShare(share.id);
      expect((await burnShare(share)).body).toMatchObject({ status, views: 1, max_views });
      expect((await openShare(share.id)).status).toBe(404);
    }
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

const withStatus = (answers: readonly Answered[], status: number) =>
  answers.filter((answer) => answer.status === status);

describe('concurrent openings', () => {
  test.each([
    [3, 6, 'of one item', small],
    [3, 6, 'in parts', largeBlob],
    [4, 3, 'in parts', largeBlob],
  ])(
    'of a share of %i views by %i readers yield exactly as many as there are, %s',
    async (views, readers, _, data_blob) => {
      const share = await createdShare({ receipt: true, max_views: views, data_blob, access_proof });
      const answers = await Promise.all(times(readers, () => openShare(share.id, shareProof)));
      const expected = Math.min(views, readers);
      const opened = withStatus(answers, 200);
      expect(opened.map(({ body }) => body.data_blob)).toEqual(Array(expected).fill(data_blob));
      expect(withStatus(answers, 404)).toHaveLength(readers - expected);
      expect((await readReceipt(share)).body).toMatchObject({ status: 'opened', views: expected });
      expect((await payloadItems(share.id)) > 0).toBe(views > readers);
    },
  );

  test('yield exactly as many as there are views when answers to writes are lost', async () => {
    // Few rounds and losses: the SDK stops to retry when its quota of retries is used up, and the request is a 500 then.
    const rounds = samples({ few: 2, many: 10 });
    for (let round = 0; round < rounds; round += 1) {
      const share = await createdShare({ receipt: true, max_views: 5, access_proof });
      const lost = loseAnswersTo('UpdateItemCommand', 6);
      const openings = times(12, () => openShare(share.id, shareProof));
      const answers = await Promise.all(openings).finally(lost.restore);
      expect(lost.sent()).toBeGreaterThan(24);
      expect(withStatus(answers, 200)).toHaveLength(5);
      expect(withStatus(answers, 404)).toHaveLength(7);
      expect((await readReceipt(share)).body).toMatchObject({ views: 5 });
    }
  });
});

test.each(sizes)(
  'a burn beside an opening: either burns a share %s, or the reader opens it, never both',
  async (_, data_blob) => {
    const rounds = samples({ few: 4, many: 150 });
    for (let round = 0; round < rounds; round += 1) {
      const share = await createdShare({ receipt: true, data_blob });
      const burning = () => burnShare(share);
      const opening = () => openShare(share.id);
      const [opened, burned] = await Promise.all([
        opening(),
        round % 2 === 0 ? burning() : opening().then(burning),
      ]);
      const receipt = (await readReceipt(share)).body;
      expect(burned.body.status).toBe(receipt.status);
      if (round % 2 === 0) expect(receipt.status).toBe(opened.status === 200 ? 'opened' : 'burned');
      expect(await payloadItems(share.id)).toBe(0);
    }
  },
);
