/** Shares with the optional fields: a proof, limited views, a receipt. */

import { createHash, randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs } from '../../../functions/shared/runtime/duration.ts';
import { getItem } from '../../../functions/shared/table/table.ts';
import { call, freshAddress } from '../../support/call.ts';
import { roundTrips } from '../../support/faults.ts';
import { sharePayload } from '../../support/samples/requests.ts';

const shareProof = randomBytes(32).toString('base64url');
const access_proof = createHash('sha256').update(shareProof).digest('hex');
const wrongProof = () => randomBytes(32).toString('base64url');
const large = randomBytes(1024 * 1024).toString('base64');

const create = (body: Record<string, unknown>) =>
  call('shares.create', { body: { ...sharePayload, ...body } });
const created = async (body: Record<string, unknown>): Promise<{ id: string; token: string }> => {
  const { status, body: answer } = await create(body);
  expect(status).toBe(200);
  return { id: answer.shareId, token: answer.receiptToken };
};
const open = (id: string, proof?: string) =>
  call('shares.open', {
    query: { id },
    headers: proof === undefined ? {} : { 'x-share-proof': proof },
    sourceIp: freshAddress(),
  });
const withToken = (id: string, token: string) => ({
  query: { id },
  headers: { 'x-receipt-token': token },
  sourceIp: freshAddress(),
});
const receipt = async (id: string, token: string) =>
  (await call('shares.receipt', withToken(id, token))).body;
const burn = (id: string, token: string) => call('shares.burn', withToken(id, token));

/** The keys of what is left of the payload of a share. */
const leftParts = async (id: string) =>
  (await Promise.all([1, 2, 3].map((n) => getItem(keys.sharePart(id, n))))).filter(Boolean).length;

const gone = { error: 'Link not found or expired' };
const wrong = { error: 'Wrong or missing share proof' };
const limited = { error: 'Too many requests' };

afterEach(() => {
  vi.useRealTimers();
});

describe('a share with an access proof', () => {
  const kinds = [
    ['one-time', {}],
    ['one-time, in parts', { data_blob: large }],
    ['repeatable', { one_time: false }],
    ['with two views', { max_views: 2 }],
    ['one-time with a receipt', { receipt: true }],
  ] as const;

  test.each(kinds)(
    'opens only with its proof, and a wrong or missing one burns nothing: %s',
    async (_, more) => {
      const { id } = await created({ ...more, access_proof });
      for (const proof of [undefined, '', wrongProof(), 'short', 'ü', `${shareProof}A`]) {
        const refused = await open(id, proof);
        expect(refused.body).toEqual(wrong);
        expect(refused.status).toBe(403);
      }
      const { status, body } = await open(id, shareProof);
      expect(status).toBe(200);
      expect(body.data_blob).toBe((more as { data_blob?: string }).data_blob ?? sharePayload.data_blob);
      expect(body.meta_blob).toBe(sharePayload.meta_blob ?? null);
    },
  );

  test('is 404 for every proof after it was opened', async () => {
    const { id } = await created({ access_proof });
    await open(id, shareProof);
    for (const proof of [undefined, wrongProof(), shareProof])
      expect((await open(id, proof)).body).toEqual(gone);
  });
});
