import { afterEach, describe, expect, test, vi } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { call } from '../../../support/call.ts';
import {
  decide,
  goodLink,
  linkCall,
  listQueue,
  newParties,
  type Parties,
  type PendingReview,
  submit,
  submittedId,
} from '../../../support/samples/links.ts';
import { bearer, newOperatorKey } from '../../../support/tenants.ts';

const reviews = (key: string, query: Record<string, string> = {}) =>
  call('links.review-list', { headers: bearer(key), query });

const update = (parties: Parties, id: string, body: object) =>
  call('links.update', linkCall(parties, id, body));

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
    // One link is rejected and then changed, one is changed while pending, one is rejected, and one is
    // removed.
    await decide(operator, ids[0] ?? '', { decision: 'rejected' });
    at(300);
    await update(parties, ids[0] ?? '', { title: 'Changed' });
    await update(parties, ids[3] ?? '', { title: 'Changed' });
    await decide(operator, ids[4] ?? '', { decision: 'rejected' });
    await call('links.remove', linkCall(parties, ids[6] ?? ''));

    const expected = [7, 2, 5, 1, 3, 8, 9, 10, 11, 0].map((n) => ids[n]);
    const own = (queue: PendingReview[]) =>
      queue.filter(({ applicationId }) => applicationId === parties.applicationId);
    const queue = await listQueue(operator);
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
    const inSmallPages = await listQueue(operator, '7', (reviews) => own(reviews).length >= expected.length);
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
      const page = (await reviews(operator, { limit: '3', ...defined({ cursor }) })).body;
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
      const response = await reviews(await newOperatorKey(), query as Record<string, string>);
      expect([response.status, response.body.error]).toEqual([400, 'invalid_request']);
    },
  );
});
