/** Opening a one-time share over a network that loses, repeats and delays calls to the table. */

import { randomBytes } from 'node:crypto';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { hourMs } from '../../../../functions/shared/runtime/duration.ts';
import { partBytes } from '../../../../functions/shared/table/blob.ts';
import { dynamodb, getItem, type Item, transactWrite } from '../../../../functions/shared/table/table.ts';
import { call } from '../../../support/call.ts';
import { disturbances, disturbCall } from '../../../support/disturbed-calls.ts';
import { failTable, roundTrips } from '../../../support/faults.ts';
import { asFunction, grantsOf } from '../../../support/granted.ts';
import { sharePayload } from '../../../support/samples/requests.ts';
import { deleteItem, putItem } from '../../../support/stored-items.ts';

const create = (body: Record<string, unknown>) =>
  call('shares.create', { body: { ...sharePayload, ...body } });
const createdId = async (body: Record<string, unknown>): Promise<string> => (await create(body)).body.shareId;
const read = (id: string) => call('shares.open', { query: { id } });
const head = (id: string) => getItem(keys.share(id));
const part = (id: string) => getItem(keys.sharePart(id, 1));

const small = randomBytes(100).toString('base64');
/** A little more than fits the head. */
const large = randomBytes(partBytes + 100).toString('base64');
const sizes = [
  ['an ordinary share', small],
  ['a share in parts', large],
] as const;
/** The calls of an open: an ordinary share has one claim, then one removal; a share in parts is read before. */
const opens = [
  ['an ordinary share', small, ['claim', 'count', 'removal']],
  ['a share in parts', large, ['head', 'count', 'part', 'count', 'claim', 'removal']],
] as const;
const eachCall = opens.flatMap(([name, data, calls]) => calls.map((call, at) => ({ name, data, call, at })));

/** What is left of an opened share until it expires. */
const tombstone = (id: string) => ({
  ...keys.share(id),
  claim: expect.stringMatching(/^[\w-]{22}$/),
  createdAtMs: expect.any(Number),
  expiresAtMs: expect.any(Number),
  ttl: expect.any(Number),
});

let disturbed: ReturnType<typeof disturbCall> | undefined;
afterEach(() => {
  disturbed?.restore();
  vi.useRealTimers();
});

async function whileDisturbed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    disturbed?.restore();
  }
}

describe('a creation', () => {
  // The first call is the rate limit.
  const write = 1;

  describe.each(sizes)('of %s', (_, data_blob) => {
    test.each(disturbances)('whose write is %s once creates one share, which opens once', async (how) => {
      disturbed = disturbCall(write, how);
      const { status, body } = await whileDisturbed(() => create({ data_blob }));
      expect(status).toBe(200);
      expect(disturbed.sent()).toBe(2);
      expect((await read(body.shareId)).body.data_blob).toBe(data_blob);
      await disturbed.deliver();
      expect((await read(body.shareId)).status).toBe(404);
      expect(await head(body.shareId)).toEqual(tombstone(body.shareId));
      expect(await part(body.shareId)).toBeUndefined();
    });

    test('whose write arrives a second time before the share is opened changes nothing', async () => {
      disturbed = disturbCall(write, 'held');
      const { body } = await whileDisturbed(() => create({ data_blob }));
      const stored = await head(body.shareId);
      await disturbed.deliver();
      expect(await head(body.shareId)).toEqual(stored);
      expect((await read(body.shareId)).body.data_blob).toBe(data_blob);
      expect((await read(body.shareId)).status).toBe(404);
    });
  });

  test('of a share in parts is not carried out again when DynamoDB has forgotten the token of the request', async () => {
    const inputs: object[] = [];
    const watch = failTable((_, __, input) => void inputs.push(input));
    const { body } = await create({ data_blob: large }).finally(watch.restore);
    const { TransactItems } = inputs[1] as TransactWriteCommandInput;
    expect((await read(body.shareId)).status).toBe(200);
    const again = dynamodb.send(new TransactWriteCommand({ TransactItems }));
    await expect(again).rejects.toThrow('ConditionalCheckFailed');
    expect((await read(body.shareId)).status).toBe(404);
    expect(await part(body.shareId)).toBeUndefined();
  });
});

describe('an open', () => {
  test.each(eachCall.flatMap((one) => disturbances.map((how) => ({ ...one, how }))))(
    'of $name whose call $at ($call) is $how once hands it out, once',
    async ({ data, at, how }) => {
      const id = await createdId({ data_blob: data });
      disturbed = disturbCall(at, how);
      const { status, body } = await whileDisturbed(() => read(id));
      expect(status).toBe(200);
      expect(body.data_blob).toBe(data);
      expect(disturbed.sent()).toBe(2);
      expect((await read(id)).status).toBe(404);
      await disturbed.deliver();
      expect(await head(id)).toEqual(tombstone(id));
      expect(await part(id)).toBeUndefined();
      expect((await read(id)).status).toBe(404);
    },
  );

  test.each(eachCall.filter(({ call }) => call === 'claim'))(
    'of $name whose claim is unanswered twice hands it out',
    async ({ data, at }) => {
      const id = await createdId({ data_blob: data });
      disturbed = disturbCall(at, 'unanswered', 2);
      expect((await whileDisturbed(() => read(id))).body.data_blob).toBe(data);
      expect(disturbed.sent()).toBe(3);
    },
  );

  test.each(eachCall.filter(({ call, data }) => call !== 'removal' && (call !== 'count' || data === large)))(
    'of $name whose call $at ($call) never arrives consumes nothing',
    async ({ data, at }) => {
      const id = await createdId({ data_blob: data });
      disturbed = disturbCall(at, 'dropped', 3);
      expect((await whileDisturbed(() => read(id))).body).toEqual({ error: 'Retrieval failed' });
      expect((await read(id)).body.data_blob).toBe(data);
      expect((await read(id)).status).toBe(404);
    },
  );

  test('of an ordinary share whose count never arrives hands it out: it is claimed already', async () => {
    const id = await createdId({ data_blob: small });
    disturbed = disturbCall(1, 'dropped', 3);
    expect((await whileDisturbed(() => read(id))).body.data_blob).toBe(small);
    expect((await read(id)).status).toBe(404);
  });

  // Nobody knows whose claim it is. A secret that may have been read is not handed out again.
  test.each(eachCall.filter(({ call }) => call === 'claim'))(
    'of $name whose claim is never answered consumes it',
    async ({ data, at }) => {
      const id = await createdId({ data_blob: data });
      disturbed = disturbCall(at, 'unanswered', 3);
      expect((await whileDisturbed(() => read(id))).status).toBe(500);
      expect((await read(id)).status).toBe(404);
    },
  );

  test.each(eachCall.filter(({ call }) => call === 'removal'))(
    'of $name whose call $at ($call) fails hands it out, and nobody else reads it',
    async ({ data, at }) => {
      const id = await createdId({ data_blob: data });
      disturbed = disturbCall(at, 'dropped', 3);
      expect((await whileDisturbed(() => read(id))).body.data_blob).toBe(data);
      expect((await read(id)).status).toBe(404);
      // The time to live removes what is left.
      const left = [await head(id), await part(id)].filter((item) => item !== undefined);
      expect(left.every((item) => Number.isInteger(item?.ttl))).toBe(true);
    },
  );

  test.each(eachCall.filter(({ call }) => call === 'claim' || call === 'removal'))(
    'of $name creates nothing when its call $at ($call) arrives after the time to live removed the share',
    async ({ data, at }) => {
      const id = await createdId({ data_blob: data });
      disturbed = disturbCall(at, 'held');
      expect((await whileDisturbed(() => read(id))).status).toBe(200);
      await transactWrite([{ Delete: { Key: keys.share(id) } }]);
      await disturbed.deliver();
      expect(await head(id)).toBeUndefined();
      expect(await part(id)).toBeUndefined();
    },
  );

  test.each(sizes)(
    'of %s is claimed by one of 20 concurrent readers, when one of them is sent again',
    async (_, data) => {
      const id = await createdId({ data_blob: data });
      const results = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          if (n === 10) disturbed = disturbCall(0, 'unanswered', 1);
          return read(id);
        }),
      );
      expect(results.filter(({ status }) => status === 200).map(({ body }) => body.data_blob)).toEqual([
        data,
      ]);
      expect(results.filter(({ status }) => status === 404)).toHaveLength(19);
    },
  );
});

describe('absent, expired and consumed shares', () => {
  const expire = () => vi.setSystemTime(Date.now() + hourMs);

  test.each(sizes)('take the same calls, %s', async (_, data_blob) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const consumed = await createdId({ data_blob });
    const expired = await createdId({ data_blob, expires_in_hours: 1 });
    expect((await read(consumed)).status).toBe(200);
    expire();
    const absent = `${consumed[0]}${'A'.repeat(22)}`;
    const first = await roundTrips(() => read(absent));
    expect(first).toHaveLength(1);
    for (const id of [expired, consumed]) expect(await roundTrips(() => read(id))).toEqual(first);
    expect(await head(absent)).toBeUndefined();
  });

  test.each(sizes)('are not claimed, %s', async (_, data_blob) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const id = await createdId({ data_blob, expires_in_hours: 1 });
    const stored = await head(id);
    expire();
    expect((await read(id)).status).toBe(404);
    expect(await head(id)).toEqual(stored);
  });

  test('send nothing of the stored share over the network: a refused claim returns no item', async () => {
    const inputs: object[] = [];
    const watch = failTable((_, __, input) => void inputs.push(input));
    await read(`o${'A'.repeat(22)}`).finally(watch.restore);
    expect(inputs).toEqual([
      expect.objectContaining({ ReturnValues: 'ALL_NEW', ReturnValuesOnConditionCheckFailure: 'NONE' }),
      expect.objectContaining({ UpdateExpression: expect.stringContaining('ADD #bytes') }),
    ]);
  });
});

test.each(sizes)('%s of the release before claims opens once', async (_, data_blob) => {
  const id = await createdId({ data_blob });
  const stored = (await head(id)) as Item;
  expect(Object.keys(stored).sort()).toEqual([
    'alphabet',
    'createdAtMs',
    'data',
    'expiresAtMs',
    'iv',
    'meta',
    'parts',
    'pk',
    'sk',
    'tail',
    'totalBytes',
    'ttl',
  ]);
  await putItem(stored);
  expect((await read(id)).body.data_blob).toBe(data_blob);
  expect((await read(id)).status).toBe(404);
});

test('the function that opens shares cannot delete the head of a share', async () => {
  const { routes } = await import('../../../../functions/shares/routes.ts');
  const id = await createdId({ data_blob: large });
  const open = <T>(work: () => Promise<T>) => asFunction('shares.open', grantsOf(routes.open), work);
  await expect(open(() => deleteItem(keys.share(id)))).rejects.toThrow('is not granted DeleteItem of SHARE');
  await open(() => deleteItem(keys.sharePart(id, 1)));
  expect(await part(id)).toBeUndefined();
});
