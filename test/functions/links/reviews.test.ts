import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { putItem } from '../../../functions/shared/table/table.ts';
import { call } from '../../support/call.ts';
import { failTable } from '../../support/faults.ts';
import {
  decide,
  goodLink,
  linkCall,
  newParties,
  type Parties,
  submit,
  submittedId,
} from '../../support/link-samples.ts';
import { bearer, newOperatorKey, newSecret } from '../../support/tenants.ts';

const reviews = (key: string, query: Record<string, string> = {}) =>
  call('links.review-list', { headers: bearer(key), query });
const review = (key: string, linkId: string) =>
  call('links.review-read', { headers: bearer(key), params: { linkId } });
const status = async (parties: Parties, id: string) =>
  (await call('links.read', linkCall(parties, id))).body.trustLink.verificationStatus;
const update = (parties: Parties, id: string, body: object) =>
  call('links.update', linkCall(parties, id, body));

type PendingReview = { linkId: string; applicationId: string; submittedAt: string; priority: boolean };

/** The queue, page by page, up to its end or until `isEnough`. */
async function wholeQueue(
  key: string,
  limit = '200',
  isEnough: (reviews: PendingReview[]) => boolean = () => false,
): Promise<PendingReview[]> {
  const all: PendingReview[] = [];
  let cursor: string | undefined;
  do {
    const { body } = await reviews(key, { limit, ...(cursor && { cursor }) });
    all.push(...body.reviews);
    cursor = body.nextCursor;
  } while (cursor !== undefined && !isEnough(all));
  return all;
}

/** Links of this date precede the links that other tests leave in the queue. */
const longAgoMs = Date.parse('2001-01-01T00:00:00Z');
const at = (seconds: number) => vi.setSystemTime(longAgoMs + seconds * 1_000);

afterEach(() => {
  vi.useRealTimers();
});

describe('GET /api/operator/reviews', () => {
  test('lists pending links, priority first, then the oldest, in the same order on all page sizes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: longAgoMs });
    const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      at(i * 2);
      ids.push(await submittedId(parties, { title: `Link ${i}` }));
    }
    // Three links are verified and then changed, in another order than submitted.
    for (const [i, n] of [7, 2, 5].entries()) {
      at(100 + i * 2);
      await decide(operator, ids[n] ?? '', { decision: 'verified' });
      at(200 + i * 2);
      await update(parties, ids[n] ?? '', { title: 'Changed' });
    }
    // One link is rejected and then changed, one is changed while pending, one is rejected, and one is removed.
    await decide(operator, ids[0] ?? '', { decision: 'rejected' });
    at(300);
    await update(parties, ids[0] ?? '', { title: 'Changed' });
    await update(parties, ids[3] ?? '', { title: 'Changed' });
    await decide(operator, ids[4] ?? '', { decision: 'rejected' });
    await call('links.remove', linkCall(parties, ids[6] ?? ''));

    const expected = [7, 2, 5, 1, 3, 8, 9, 10, 11, 0].map((n) => ids[n]);
    const own = (queue: PendingReview[]) =>
      queue.filter(({ applicationId }) => applicationId === parties.applicationId);
    const queue = await wholeQueue(operator);
    expect(own(queue).map(({ linkId }) => linkId)).toEqual(expected);
    const first = (await reviews(operator, { limit: '2' })).body;
    expect(first.reviews.map(({ linkId }: PendingReview) => linkId)).toEqual(expected.slice(0, 2));
    const second = (await reviews(operator, { limit: '1', cursor: first.nextCursor })).body;
    expect(second.reviews).toEqual([
      {
        linkId: ids[5],
        applicationId: parties.applicationId,
        userId: parties.userId,
        title: 'Changed',
        url: goodLink.url,
        platform: goodLink.platform,
        priority: true,
        submittedAt: '2001-01-01T00:03:24.000Z',
        revision: 3,
      },
    ]);
    const inSmallPages = await wholeQueue(operator, '7', (reviews) => own(reviews).length >= expected.length);
    expect(own(inSmallPages).map(({ linkId }) => linkId)).toEqual(expected);
  });

  test('has no gaps and no duplicates while listed links are decided', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: longAgoMs + 1_000_000 });
    const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
    const { body } = await submit(parties, 20);
    const ids = body.trustLinks.map(({ _id }: { _id: string }) => _id);
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      vi.setSystemTime(Date.now() + 1_000);
      const page = (await reviews(operator, { limit: '3', ...(cursor && { cursor }) })).body;
      const own = page.reviews.filter(
        ({ applicationId }: PendingReview) => applicationId === parties.applicationId,
      );
      for (const { linkId } of own) {
        listed.push(linkId);
        await decide(operator, linkId, { decision: 'verified' });
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined && listed.length < 20);
    expect(listed).toEqual(ids);
  });

  test.each([{ limit: '0' }, { limit: '201' }, { limit: 'x' }, { cursor: 'x' }, { cursor: '' }])(
    '%j is refused',
    async (query) => {
      const answer = await reviews(await newOperatorKey(), query as Record<string, string>);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('GET /api/operator/reviews/{linkId}', () => {
  test('shows the link, its user with their accounts, and the history with actor, time, reason and former values', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T10:00:00Z') });
    const [parties, operator] = await Promise.all([newParties(), newSecret('operator_key')]);
    const { userId, applicationId } = parties;
    await putItem({
      ...keys.socialAccount(userId, 'youtube#ann'),
      accountId: 'acc_1',
      platform: 'YouTube',
      username: 'ann',
      url: 'https://youtube.com/@ann',
      verified: true,
      verificationStatus: 'verified',
      isPrimary: true,
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    const _id = await submittedId(parties);
    const minute = () => vi.setSystemTime(Date.now() + 60_000);
    minute();
    await decide(operator.secret, _id, { decision: 'rejected', reason: 'Not hers' });
    minute();
    const scopes = ['trust_links:write'];
    const token = await newSecret('access_token', { applicationId, userId, scopes });
    await call('links.update', {
      headers: bearer(token.secret),
      params: { id: _id },
      body: { url: 'https://b.example/' },
    });
    minute();
    await decide(operator.secret, _id, { decision: 'verified' });

    const { body } = await review(operator.secret, _id);
    const byOperator = { kind: 'operator', id: operator.keyId };
    const before = { verificationStatus: 'pending' };
    const history = [
      {
        event: 'submitted',
        revision: 1,
        at: '2026-03-01T10:00:00.000Z',
        by: { kind: 'application', id: applicationId },
      },
      {
        event: 'rejected',
        revision: 2,
        at: '2026-03-01T10:01:00.000Z',
        by: byOperator,
        reason: 'Not hers',
        before,
      },
      {
        event: 'changed',
        revision: 3,
        at: '2026-03-01T10:02:00.000Z',
        by: { kind: 'user', id: userId },
        before: { url: goodLink.url, verificationStatus: 'rejected', reviewedAt: '2026-03-01T10:01:00.000Z' },
      },
      { event: 'verified', revision: 4, at: '2026-03-01T10:03:00.000Z', by: byOperator, before },
    ];
    expect(body).toEqual({
      trustLink: {
        _id,
        ...goodLink,
        url: 'https://b.example/',
        verificationStatus: 'verified',
        createdAt: '2026-03-01T10:00:00.000Z',
        reviewedAt: '2026-03-01T10:03:00.000Z',
      },
      revision: 4,
      user: { userId, email: `${userId}@example.com`, name: 'Ann', status: 'active', verified: true },
      socialAccounts: [
        {
          id: 'acc_1',
          platform: 'YouTube',
          username: 'ann',
          url: 'https://youtube.com/@ann',
          verified: true,
          verificationStatus: 'verified',
          isPrimary: true,
        },
      ],
      history,
    });

    minute();
    await call('links.remove', linkCall(parties, _id));
    const afterRemoval = (await review(operator.secret, _id)).body;
    expect(afterRemoval).toMatchObject({ trustLink: null, revision: 5, user: { userId } });
    expect(afterRemoval.history).toEqual([
      ...history,
      {
        event: 'removed',
        revision: 5,
        at: '2026-03-01T10:04:00.000Z',
        by: { kind: 'application', id: applicationId },
        before: body.trustLink,
      },
    ]);
  });

  test.each(['', 'x', newId('lnk', 0), 'x'.repeat(5_000)])(
    '%j is not_found for read and decide',
    async (linkId) => {
      const operator = await newOperatorKey();
      const answers = [
        await review(operator, linkId),
        await decide(operator, linkId, { decision: 'verified', revision: 1 }),
      ];
      for (const answer of answers) expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    },
  );
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
      const remaining = (await wholeQueue(operator)).filter(({ linkId }) => linkId === _id);
      expect(remaining).toEqual([]);
    },
  );

  test('is a conflict without effect when the link has changed since it was read', async () => {
    const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
    const id = await submittedId(parties);
    await update(parties, id, { url: 'https://other.example/' });
    for (const revision of [1, 3]) {
      const answer = await decide(operator, id, { decision: 'verified', revision });
      expect([answer.status, answer.body.error]).toEqual([409, 'conflict']);
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
      const answer = await decide(operator, id, { decision: 'verified', revision: 1 });
      expect(answer.status).toBe(409);
    } finally {
      fault.restore();
    }
    expect(await status(parties, id)).toBe('pending');
  });

  test('succeeds once under ten concurrent requests, with one history event, and the others are conflicts', async () => {
    const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
    const id = await submittedId(parties);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        decide(operator, id, { decision: i % 2 ? 'verified' : 'rejected', revision: 1 }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    const winner = answers.find((answer) => answer.status === 200);
    expect(await status(parties, id)).toBe(winner?.body.trustLink.verificationStatus);
    expect((await review(operator, id)).body.history).toHaveLength(2);
  });

  test('racing an update, comes before the update or is a conflict', async () => {
    const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
    for (let i = 0; i < 5; i += 1) {
      const id = await submittedId(parties);
      const [decision] = await Promise.all([
        decide(operator, id, { decision: 'verified', revision: 1 }),
        update(parties, id, { url: 'https://other.example/' }),
      ]);
      // In either order, content that was not reviewed is not verified.
      expect(await status(parties, id)).toBe('pending');
      const { history } = (await review(operator, id)).body;
      const events = history.map(({ event }: { event: string }) => event);
      expect(events).toEqual(
        decision.status === 200 ? ['submitted', 'verified', 'changed'] : ['submitted', 'changed'],
      );
    }
  });

  test('is not_found for a removed link', async () => {
    const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
    const id = await submittedId(parties);
    await call('links.remove', linkCall(parties, id));
    expect((await decide(operator, id, { decision: 'verified', revision: 1 })).status).toBe(404);
  });

  test.each<[object, string]>([
    [{ decision: 'pending', revision: 1 }, 'decision'],
    [{ decision: 'verified' }, 'revision'],
    [{ decision: 'verified', revision: 0 }, 'revision'],
    [{ decision: 'verified', revision: '1' }, 'revision'],
    [{ decision: 'verified', revision: 1.5 }, 'revision'],
    [{ decision: 'verified', revision: 1, reason: '' }, 'reason'],
    [{ decision: 'verified', revision: 1, reason: 'x'.repeat(1001) }, 'reason'],
  ])('refuses %j', async (body, field) => {
    const operator = await newOperatorKey();
    const params = { linkId: newId('lnk', 0) };
    const answer = await call('links.review-decide', { headers: bearer(operator), params, body });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.body.details).toHaveProperty(field);
  });
});
