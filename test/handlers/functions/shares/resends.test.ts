/** Shares over a network that loses, repeats and delays calls to the table. */

import { randomBytes } from 'node:crypto';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { hourMs } from '../../../../functions/shared/runtime/clock.ts';
import { dynamodb } from '../../../../functions/shared/table/client.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { failTable, roundTrips } from '../../../support/faults.ts';
import { disturbances, disturbCall } from '../../../support/interruptions/disturbed-calls.ts';
import {
  accessProof as access_proof,
  burnShare,
  type CreatedShare,
  createdShare,
  largeBlob,
  openShare,
  payloadItems,
  readReceipt,
  shareProof,
  times,
} from '../../../support/protected-shares.ts';

const head = (id: string) => getItem(keys.share(id));
const small = randomBytes(100).toString('base64');
const sizes = [
  ['an ordinary share', small],
  ['a share in parts', largeBlob],
] as const;

/** The calls of an open, by kind of share. */
const opens: [string, Record<string, unknown> & { data_blob: string }, string[]][] = [
  ['an ordinary share', { data_blob: small }, ['claim', 'count', 'removal']],
  ['a share in parts', { data_blob: largeBlob }, ['head', 'count', 'part', 'count', 'claim', 'removal']],
  ['a share with a proof', { data_blob: small, access_proof }, ['head', 'count', 'claim']],
  [
    'a share with a proof and a receipt',
    { data_blob: small, access_proof, receipt: true },
    ['head', 'part', 'count', 'claim', 'removal'],
  ],
];
const eachCall = opens.flatMap(([name, body, calls]) => calls.map((call, at) => ({ name, body, call, at })));
const callsNamed = (...names: string[]) => eachCall.filter(({ call }) => names.includes(call));

/** Opens a share, with the share proof where it needs one. */
const open = ({ id }: CreatedShare, body: object = {}) =>
  openShare(id, 'access_proof' in body ? shareProof : undefined);

/** An opened share has lost its payload, and its receipt, if it has one, tells of one view. */
async function expectOpenedOnce(share: CreatedShare, body: object = {}): Promise<void> {
  expect((await open(share, body)).status).toBe(404);
  expect(await payloadItems(share.id)).toBe(0);
  for (const attribute of ['data', 'iv', 'meta', 'tail'])
    expect(await head(share.id)).not.toHaveProperty(attribute);
  if (share.token !== undefined)
    expect((await readReceipt(share)).body).toMatchObject({ status: 'opened', views: 1 });
}

let disturbed: ReturnType<typeof disturbCall> | undefined;
afterEach(() => {
  disturbed?.restore();
  vi.useRealTimers();
});

/** Does the work while one of its calls is disturbed. */
async function whileDisturbed<T>(
  work: () => Promise<T>,
  ...call: Parameters<typeof disturbCall>
): Promise<T> {
  disturbed = disturbCall(...call);
  return work().finally(disturbed.restore);
}

describe('a creation', () => {
  // The first call is the rate limit.
  const write = 1;

  describe.each(sizes)('of %s', (_, data_blob) => {
    test.each(disturbances)('whose write is %s once creates one share, which opens once', async (how) => {
      const share = await whileDisturbed(() => createdShare({ data_blob }), write, how);
      expect(disturbed?.sent()).toBe(2);
      const stored = await head(share.id);
      if (how === 'held') await disturbed?.deliver();
      expect(await head(share.id)).toEqual(stored);
      expect((await open(share)).body.data_blob).toBe(data_blob);
      await expectOpenedOnce(share);
    });

    test('whose write arrives again after the share was opened brings nothing back', async () => {
      const share = await whileDisturbed(() => createdShare({ data_blob }), write, 'held');
      await open(share);
      await disturbed?.deliver();
      await expectOpenedOnce(share);
    });
  });

  test.each([
    ['opened', { data_blob: largeBlob }, open],
    ['opened, and has a receipt', { receipt: true }, open],
    ['burned', { data_blob: largeBlob, receipt: true }, burnShare],
  ])(
    'is not carried out again once the share was %s, when DynamoDB has forgotten its token',
    async (_, body, end) => {
      const inputs: object[] = [];
      const watch = failTable((_, __, input) => void inputs.push(input));
      const share = await createdShare(body).finally(watch.restore);
      expect((await end(share)).status).toBe(200);
      const { TransactItems } = inputs[write] as TransactWriteCommandInput;
      const again = dynamodb.send(new TransactWriteCommand({ TransactItems }));
      await expect(again).rejects.toThrow('ConditionalCheckFailed');
      expect(await payloadItems(share.id)).toBe(0);
      expect((await open(share)).status).toBe(404);
    },
  );
});

describe('an open', () => {
  const writes = eachCall.filter(
    ({ call, body }) => ['claim', 'removal'].includes(call) || (call === 'head' && 'access_proof' in body),
  );

  test.each(writes.flatMap((one) => (['unanswered', 'held'] as const).map((how) => ({ ...one, how }))))(
    'of $name whose $call is $how once hands it out, once',
    async ({ body, at, how }) => {
      const share = await createdShare(body);
      const { status, body: opened } = await whileDisturbed(() => open(share, body), at, how);
      expect([status, opened.data_blob === body.data_blob]).toEqual([200, true]);
      expect(disturbed?.sent()).toBe(2);
      await expectOpenedOnce(share, body);
      await disturbed?.deliver();
      await expectOpenedOnce(share, body);
    },
  );

  test.each(callsNamed('head', 'part', 'claim'))(
    'of $name whose call $at ($call) never arrives consumes nothing',
    async ({ body, at }) => {
      const share = await createdShare(body);
      const failed = await whileDisturbed(() => open(share, body), at, 'dropped', 3);
      expect(failed.body).toEqual({ error: 'Retrieval failed' });
      if (share.token !== undefined) expect((await readReceipt(share)).body.status).toBe('stored');
      expect((await open(share, body)).body.data_blob).toBe(body.data_blob);
    },
  );

  // Nobody knows whose claim it is. A secret that may have been read is not handed out again.
  test.each(callsNamed('claim'))(
    'of $name whose claim is never answered consumes it, and its receipt says so',
    async ({ body, at }) => {
      const share = await createdShare(body);
      expect((await whileDisturbed(() => open(share, body), at, 'unanswered', 3)).status).toBe(500);
      expect((await open(share, body)).status).toBe(404);
      if (share.token !== undefined)
        expect((await readReceipt(share)).body).toMatchObject({ status: 'opened', views: 1 });
    },
  );

  test.each(sizes)(
    'of %s is claimed by one of concurrent readers, when one of them is sent again',
    async (_, data_blob) => {
      const { id } = await createdShare({ data_blob });
      const answers = await Promise.all(
        times(5, async (n) => {
          if (n === 2) disturbed = disturbCall(0, 'unanswered', 1);
          return openShare(id);
        }),
      );
      expect(answers.flatMap(({ status, body }) => (status === 200 ? [body.data_blob] : []))).toEqual([
        data_blob,
      ]);
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(4);
    },
  );
});

describe('a burn', () => {
  // The limit; the burn; the removal.
  test.each([1, 2].flatMap((at) => (['unanswered', 'held'] as const).map((how) => ({ at, how }))))(
    'whose call $at is $how once burns the share, once',
    async ({ at, how }) => {
      const share = await createdShare({ receipt: true });
      const burned = await whileDisturbed(() => burnShare(share), at, how);
      expect(burned.body).toMatchObject({ status: 'burned', views: 0 });
      expect(await payloadItems(share.id)).toBe(0);
      await disturbed?.deliver();
      expect((await burnShare(share)).body).toEqual(burned.body);
      expect((await open(share)).status).toBe(404);
    },
  );

  test('whose removal never arrives is no success, opens nothing, and a repeat removes the payload', async () => {
    const share = await createdShare({ receipt: true });
    const failed = await whileDisturbed(() => burnShare(share), 2, 'dropped', 3);
    expect([failed.status, failed.body]).toEqual([500, { error: 'Deletion failed' }]);
    expect(await payloadItems(share.id)).toBe(1);
    expect((await open(share)).status).toBe(404);
    expect((await burnShare(share)).body).toMatchObject({ status: 'burned' });
    expect(await payloadItems(share.id)).toBe(0);
  });
});

test.each(sizes)('absent, expired and consumed shares take the same calls, %s', async (_, data_blob) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const consumed = await createdShare({ data_blob });
  const expired = await createdShare({ data_blob, expires_in_hours: 1 });
  const stored = await head(expired.id);
  expect((await open(consumed)).status).toBe(200);
  vi.setSystemTime(Date.now() + hourMs);
  const absent = `${consumed.id[0]}${'A'.repeat(22)}`;
  const first = await roundTrips(() => openShare(absent));
  expect(first).toHaveLength(1);
  for (const share of [expired, consumed]) expect(await roundTrips(() => open(share))).toEqual(first);
  expect((await open(expired)).text).toBe((await openShare(absent)).text);
  expect(await head(absent)).toBeUndefined();
  expect(await head(expired.id)).toEqual(stored);
});
