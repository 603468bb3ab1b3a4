import { afterEach, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { call } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import {
  decide,
  goodLink,
  linkCall,
  listQueue,
  newParties,
  type Parties,
  submittedId,
} from '../../../support/samples/links.ts';
import { bearer, newOperatorKey } from '../../../support/tenants.ts';

const review = (key: string, linkId: string) =>
  call('links.review-read', { headers: bearer(key), params: { linkId } });

const status = async (parties: Parties, id: string) =>
  (await call('links.read', linkCall(parties, id))).body.trustLink.verificationStatus;

const update = (parties: Parties, id: string, body: object) =>
  call('links.update', linkCall(parties, id, body));

afterEach(() => {
  vi.useRealTimers();
});

describe('POST /api/operator/reviews/{linkId}', () => {
  test.each(['verified', 'rejected'] as const)(
    '%s: returns the link, which leaves the queue',
    async (decision) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T10:00:00Z') });
      const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
      const _id = await submittedId(parties);
      const { status: code, body } = await decide(operator, _id, { decision });
      const now = '2026-03-01T10:00:00.000Z';
      expect(code).toBe(200);
      expect(body).toEqual({
        trustLink: { _id, ...goodLink, verificationStatus: decision, createdAt: now, reviewedAt: now },
      });
      const remaining = (await listQueue(operator)).filter(({ linkId }) => linkId === _id);
      expect(remaining).toEqual([]);
    },
  );

  test('is a conflict without effect when the link has changed since it was read', async () => {
    const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
    const id = await submittedId(parties);
    await update(parties, id, { url: 'https://other.example/' });
    for (const revision of [1, 3]) {
      const response = await decide(operator, id, { decision: 'verified', revision });
      expect([response.status, response.body.error]).toEqual([409, 'conflict']);
    }
    expect(await status(parties, id)).toBe('pending');
    expect((await decide(operator, id, { decision: 'verified', revision: 2 })).status).toBe(200);
    const again = await decide(operator, id, { decision: 'rejected', revision: 3 });
    expect(again.status).toBe(409);
    expect(await status(parties, id)).toBe('verified');
  });

  test('is a conflict when the link changes between the read and the write', async () => {
    const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
    const id = await submittedId(parties);
    let changed = false;
    const fault = failTable(async (command) => {
      if (command.startsWith('TransactWrite') && !changed) {
        changed = true;
        await update(parties, id, { url: 'https://other.example/' });
      }
      return undefined;
    });
    try {
      const response = await decide(operator, id, { decision: 'verified', revision: 1 });
      expect(response.status).toBe(409);
    } finally {
      fault.restore();
    }
    expect(await status(parties, id)).toBe('pending');
  });

  test('succeeds once under six concurrent requests, with one history event, and the others are conflicts', async () => {
    const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
    const id = await submittedId(parties);
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        decide(operator, id, { decision: i % 2 ? 'verified' : 'rejected', revision: 1 }),
      ),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([200, ...Array(5).fill(409)]);
    const winner = responses.find((response) => response.status === 200);
    expect(await status(parties, id)).toBe(winner?.body.trustLink.verificationStatus);
    expect((await review(operator, id)).body.history).toHaveLength(2);
  });

  test.each<[object, string]>([
    [{ decision: 'pending', revision: 1 }, 'decision'],
    [{ decision: 'verified' }, 'revision'],
    [{ decision: 'verified', revision: 0 }, 'revision'],
    [{ decision: 'verified', revision: 1, reason: '' }, 'reason'],
    [{ decision: 'verified', revision: 1, reason: 'x'.repeat(1001) }, 'reason'],
  ])('refuses %j', async (body, field) => {
    const operator = await newOperatorKey();
    const params = { linkId: newId('lnk', 0) };
    const response = await call('links.review-decide', { headers: bearer(operator), params, body });
    expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    expect(response.body.details).toHaveProperty(field);
  });
});
