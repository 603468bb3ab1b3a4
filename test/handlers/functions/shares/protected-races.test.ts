/** Shares with the optional fields under concurrency, over a network that loses calls, and with functions that die. */

import { randomBytes } from 'node:crypto';
import { TransactWriteCommand, type TransactWriteCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { partBytes } from '../../../../functions/shared/table/blob.ts';
import { dynamodb, getItem } from '../../../../functions/shared/table/table.ts';
import { loseAnswersTo, onceAnswered } from '../../../support/between.ts';
import type { Answered } from '../../../support/call.ts';
import { disturbances, disturbCall } from '../../../support/disturbed-calls.ts';
import { failTable } from '../../../support/faults.ts';
import {
  accessProof as access_proof,
  burnShare,
  type CreatedShare,
  createdShare,
  openShare,
  payloadItems,
  readReceipt,
  shareProof,
  wrongProof,
} from '../../../support/protected-shares.ts';
import { deleteItem } from '../../../support/stored-items.ts';
import { samples } from '../../../support/thoroughness.ts';

const small = randomBytes(100).toString('base64');
/** A little more than one item holds. */
const large = randomBytes(partBytes + 100).toString('base64');
const sizes = [
  ['of one item', small],
  ['in parts', large],
] as const;

const withStatus = (answers: readonly Answered[], status: number) =>
  answers.filter((answer) => answer.status === status);
const times = <T>(count: number, work: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => work(n));

const restores: (() => void)[] = [];
afterEach(() => {
  for (const restore of restores.splice(0)) restore();
});
function during<T extends { restore(): void }>(fault: T): T {
  restores.push(fault.restore);
  return fault;
}

describe('concurrent openings', () => {
  test.each(
    sizes.flatMap(([size, data_blob]) => [
      [1, 20, size, data_blob] as const,
      [3, 20, size, data_blob] as const,
      [20, 12, size, data_blob] as const,
    ]),
  )(
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

  test('of a one-time share with a proof, of which many are wrong, yield exactly one', async () => {
    const rounds = samples({ few: 10, many: 100 });
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await createdShare({ access_proof });
      const proofs = times(30, (n) => (n % 3 === 0 ? shareProof : wrongProof()));
      const answers = await Promise.all(proofs.map((proof) => openShare(id, proof)));
      expect(withStatus(answers, 200)).toHaveLength(1);
      expect(withStatus(answers, 429)).toEqual([]);
    }
  });

  test('yield exactly as many as there are views when answers to writes are lost', async () => {
    // Few rounds and losses: the SDK stops to retry when its quota of retries is used up, and the request is a 500 then.
    const rounds = samples({ few: 5, many: 10 });
    for (let round = 0; round < rounds; round += 1) {
      const share = await createdShare({ receipt: true, max_views: 5, access_proof });
      const lost = during(loseAnswersTo('UpdateItemCommand', 6));
      const answers = await Promise.all(times(12, () => openShare(share.id, shareProof)));
      lost.restore();
      expect(lost.sent()).toBeGreaterThan(24);
      expect(withStatus(answers, 200)).toHaveLength(5);
      expect(withStatus(answers, 404)).toHaveLength(7);
      expect((await readReceipt(share)).body).toMatchObject({ views: 5 });
    }
  });

  test('are in the receipts that are read meanwhile, never more than were answered or are possible', async () => {
    const share = await createdShare({ receipt: true, max_views: 6 });
    const seen: number[] = [];
    const read = async () => void seen.push((await readReceipt(share)).body.views);
    await Promise.all(times(24, async (n) => (n % 3 === 0 ? openShare(share.id).then(read) : read())));
    await read();
    expect(Math.max(...seen)).toBe(6);
    expect(seen.at(-1)).toBe(6);
  });
});

describe('a burn beside an opening', () => {
  test.each(sizes)('either burns a share %s, or the reader opens it, never both', async (_, data_blob) => {
    const rounds = samples({ few: 15, many: 150 });
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
  });

  test('before the claim wins: the reader has read the payload, and gets nothing', async () => {
    const share = await createdShare({ receipt: true });
    const between = during(
      onceAnswered(
        ({ command, pk }) => command === 'GetItemCommand' && pk === keys.sharePart(share.id, 1).pk,
        () => burnShare(share),
      ),
    );
    const opened = await openShare(share.id);
    expect(between.happened()).toBe(true);
    expect(opened.status).toBe(404);
    expect((await readReceipt(share)).body).toMatchObject({ status: 'burned', views: 0 });
  });

  test('after the claim comes too late: the reader gets the payload', async () => {
    const share = await createdShare({ receipt: true });
    let burned: Answered | undefined;
    const between = during(
      onceAnswered(
        ({ command, pk }) => command === 'UpdateItemCommand' && pk === keys.share(share.id).pk,
        async () => {
          burned = await burnShare(share);
        },
      ),
    );
    const opened = await openShare(share.id);
    expect(between.happened()).toBe(true);
    expect(opened.status).toBe(200);
    expect(burned?.body).toMatchObject({ status: 'opened', views: 1 });
    expect(await payloadItems(share.id)).toBe(0);
  });

  test('while the response to the claim is lost leaves the view that was claimed', async () => {
    const share = await createdShare({ receipt: true, max_views: 2, data_blob: small });
    let isBurning = false;
    const watch = during(
      failTable(async (command, _, input) => {
        const { UpdateExpression = '' } = input as { UpdateExpression?: string };
        if (isBurning || command !== 'UpdateItemCommand' || !UpdateExpression.startsWith('ADD claims'))
          return undefined;
        isBurning = true;
        // The first attempt, of which the reader gets no response; then the burn; then the second attempt.
        await dynamodb.send(new UpdateCommand(input as never));
        await burnShare(share);
        return undefined;
      }),
    );
    const opened = await openShare(share.id);
    watch.restore();
    expect(opened.status).toBe(200);
    expect(opened.body.data_blob).toBe(small);
    expect((await readReceipt(share)).body).toMatchObject({ status: 'burned', views: 1 });
  });
});

/** The calls of an open, by kind of share. */
const opens = [
  ['a one-time share with a proof', { access_proof }, ['head', 'count', 'claim']],
  [
    'a one-time share with a receipt and a proof',
    { access_proof, receipt: true },
    ['head', 'part', 'count', 'claim', 'removal'],
  ],
  [
    'a share of one view in parts, with a receipt',
    { receipt: true, data_blob: large },
    ['head', 'part', 'count', 'part', 'count', 'claim', 'removal', 'removal'],
  ],
] as const;
const eachCall = opens.flatMap(([name, body, calls]) =>
  calls.map((call, at) => ({ name, body: Object.assign({ data_blob: small }, body), call, at })),
);

/** Opens a share, with the share proof where it needs one. */
const openFully = ({ id }: CreatedShare, body: object) =>
  openShare(id, 'access_proof' in body ? shareProof : undefined);

describe('an opening', () => {
  test.each(eachCall.flatMap((one) => disturbances.map((how) => ({ ...one, how }))))(
    'of $name whose call $at ($call) is $how once hands it out, once',
    async ({ body, at, how }) => {
      const share = await createdShare(body);
      const disturbed = during(disturbCall(at, how));
      const opened = await openFully(share, body);
      disturbed.restore();
      expect(opened.status).toBe(200);
      expect(opened.body.data_blob).toBe(body.data_blob);
      expect(disturbed.sent()).toBe(2);
      await disturbed.deliver();
      expect((await openFully(share, body)).status).toBe(404);
      expect(await payloadItems(share.id)).toBe(0);
      expect(await getItem(keys.share(share.id))).not.toHaveProperty('data');
      if (share.token !== undefined)
        expect((await readReceipt(share)).body).toMatchObject({ status: 'opened', views: 1 });
    },
  );

  test.each(eachCall.filter(({ call }) => call !== 'removal'))(
    'of $name whose call $at ($call) never arrives opens nothing',
    async ({ body, at }) => {
      const share = await createdShare(body);
      const disturbed = during(disturbCall(at, 'dropped', 3));
      expect((await openFully(share, body)).body).toEqual({ error: 'Retrieval failed' });
      disturbed.restore();
      if (share.token !== undefined) expect((await readReceipt(share)).body.status).toBe('stored');
      expect((await openFully(share, body)).body.data_blob).toBe(body.data_blob);
    },
  );

  test.each(eachCall.filter(({ call }) => call === 'claim'))(
    'of $name whose claim is never answered uses it up, and its receipt says so',
    async ({ body, at }) => {
      const share = await createdShare(body);
      const disturbed = during(disturbCall(at, 'unanswered', 3));
      expect((await openFully(share, body)).status).toBe(500);
      disturbed.restore();
      expect((await openFully(share, body)).status).toBe(404);
      if (share.token !== undefined)
        expect((await readReceipt(share)).body).toMatchObject({ status: 'opened', views: 1 });
    },
  );

  test.each(eachCall.filter(({ call }) => call === 'removal'))(
    'of $name whose call $at ($call) fails hands it out, and nobody else reads it',
    async ({ body, at }) => {
      const share = await createdShare(body);
      const disturbed = during(disturbCall(at, 'dropped', 3));
      expect((await openFully(share, body)).status).toBe(200);
      disturbed.restore();
      expect(await payloadItems(share.id)).toBe(1);
      expect((await openFully(share, body)).status).toBe(404);
      // The creator can still remove what is left.
      expect((await burnShare(share)).body).toMatchObject({ status: 'opened', views: 1 });
      expect(await payloadItems(share.id)).toBe(0);
    },
  );

  test.each(eachCall.filter(({ call, at }) => call === 'claim' || (call === 'head' && at === 0)))(
    'of $name creates nothing when its call $at ($call) arrives after the time to live removed the share',
    async ({ body, at }) => {
      const share = await createdShare(body);
      const disturbed = during(disturbCall(at, 'held'));
      expect((await openFully(share, body)).status).toBe(200);
      disturbed.restore();
      await deleteItem(keys.share(share.id));
      await disturbed.deliver();
      expect(await getItem(keys.share(share.id))).toBeUndefined();
    },
  );
});

test('a wrong proof that is sent again because its response was lost counts once more, never less', async () => {
  const { id } = await createdShare({ access_proof });
  const lost = during(disturbCall(0, 'unanswered'));
  expect((await openShare(id, wrongProof())).status).toBe(403);
  lost.restore();
  const statuses = await Promise.all(times(30, async () => (await openShare(id, wrongProof())).status));
  expect(statuses.filter((status) => status === 403)).toHaveLength(28);
  expect((await openShare(id, shareProof)).status).toBe(429);
});

describe('a burn', () => {
  // The limit; the burn; the removal.
  test.each([1, 2].flatMap((at) => disturbances.map((how) => ({ at, how }))))(
    'whose call $at is $how once burns the share, once',
    async ({ at, how }) => {
      const share = await createdShare({ receipt: true });
      const disturbed = during(disturbCall(at, how));
      const burned = await burnShare(share);
      disturbed.restore();
      expect(burned.body).toMatchObject({ status: 'burned', views: 0 });
      expect(await payloadItems(share.id)).toBe(0);
      await disturbed.deliver();
      expect((await burnShare(share)).body).toEqual(burned.body);
      expect((await openShare(share.id)).status).toBe(404);
    },
  );

  test('whose removal never arrives is no success, opens nothing, and a repeat removes the payload', async () => {
    const share = await createdShare({ receipt: true });
    const disturbed = during(disturbCall(2, 'dropped', 3));
    const failed = await burnShare(share);
    disturbed.restore();
    expect(failed.status).toBe(500);
    expect(failed.body).toEqual({ error: 'Deletion failed' });
    expect(await payloadItems(share.id)).toBe(1);
    expect((await openShare(share.id)).status).toBe(404);
    expect((await burnShare(share)).body).toMatchObject({ status: 'burned' });
    expect(await payloadItems(share.id)).toBe(0);
  });
});

test.each(sizes)(
  'a creation of a share %s that arrives again after the burn brings nothing back',
  async (_, data_blob) => {
    const inputs: object[] = [];
    const watch = during(failTable((_, __, input) => void inputs.push(input)));
    const share: CreatedShare = await createdShare({ receipt: true, data_blob });
    watch.restore();
    const { TransactItems } = inputs[1] as TransactWriteCommandInput;
    await burnShare(share);
    const again = dynamodb.send(new TransactWriteCommand({ TransactItems }));
    await expect(again).rejects.toThrow('ConditionalCheckFailed');
    expect(await payloadItems(share.id)).toBe(0);
    expect((await readReceipt(share)).body.status).toBe('burned');
  },
);

test('a reader who is overtaken while reading gets 404, never half a share', async () => {
  const { id } = await createdShare({ receipt: true, data_blob: large });
  let overtaking: number | undefined;
  const watch = during(
    failTable(async (_, index) => {
      if (index !== 3) return undefined;
      overtaking = (await openShare(id)).status;
      return undefined;
    }),
  );
  const overtaken = await openShare(id);
  watch.restore();
  expect(overtaking).toBe(200);
  expect(overtaken.status).toBe(404);
});
