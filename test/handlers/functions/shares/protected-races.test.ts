/** Shares with the optional fields under concurrency. */

import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { loseAnswersTo, onceAnswered } from '../../../support/between.ts';
import type { Answered } from '../../../support/call.ts';
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
} from '../../../support/protected-shares.ts';
import { samples } from '../../../support/thoroughness.ts';

const small = randomBytes(100).toString('base64');
const sizes = [
  ['of one item', small],
  ['in parts', largeBlob],
] as const;

const withStatus = (answers: readonly Answered[], status: number) =>
  answers.filter((answer) => answer.status === status);

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
      [3, 10, size, data_blob] as const,
      [6, 5, size, data_blob] as const,
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

  test('yield exactly as many as there are views when answers to writes are lost', async () => {
    // Few rounds and losses: the SDK stops to retry when its quota of retries is used up, and the request is a 500 then.
    const rounds = samples({ few: 2, many: 10 });
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
});

describe('a burn beside an opening', () => {
  test.each(sizes)('either burns a share %s, or the reader opens it, never both', async (_, data_blob) => {
    const rounds = samples({ few: 6, many: 150 });
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
});
