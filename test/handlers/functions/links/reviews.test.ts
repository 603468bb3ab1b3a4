/** The review of links: the queue, a link with its history, and decisions. */

import * as keys from '../../../../functions/shared/contract/keys.ts';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { bearer, call, newOperatorKey, newSecret, putItem } from '../../../support/call.ts';
import { pagesOf } from '../../../support/lists/pages.ts';
import * as trustLinks from '../../../support/samples/links.ts';
import {
  at,
  isoAt,
  outcome,
  review,
  startMs,
  statusOf,
  underReview,
  update,
} from '../../../support/samples/reviews.ts';
import { onOwnTable } from '../../../support/table/own-table.ts';

onOwnTable('reviews');
describe('GET /api/operator/reviews', () => {
  const idsIn = (queue: trustLinks.PendingReview[], { applicationId }: trustLinks.Parties) =>
    queue.filter((one) => one.applicationId === applicationId).map(({ linkId }) => linkId);

  test('lists pending links, priority first, then the oldest, in the same order on all page sizes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const [parties, operator] = await Promise.all([trustLinks.newParties(), newOperatorKey()]);
    const ids: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      at(i * 2);
      ids.push(await trustLinks.submittedId(parties, { title: `Link ${i}` }));
    }
    // Three links are verified and then changed, in another order than submitted.
    for (const [i, n] of [7, 2, 5].entries()) {
      at(100 + i * 2);
      await trustLinks.decide(operator, ids[n] ?? '', { decision: 'verified' });
      at(200 + i * 2);
      await update(parties, ids[n] ?? '', { title: 'Changed' });
    }
    // One link is rejected and then changed, one is changed while pending, one is rejected, one is removed.
    await trustLinks.decide(operator, ids[0] ?? '', { decision: 'rejected' });
    at(300);
    await update(parties, ids[0] ?? '', { title: 'Changed' });
    await update(parties, ids[3] ?? '', { title: 'Changed' });
    await trustLinks.decide(operator, ids[4] ?? '', { decision: 'rejected' });
    await call('links.remove', trustLinks.linkCall(parties, ids[6] ?? ''));

    const expected = [7, 2, 5, 1, 3, 8, 9, 10, 11, 0].map((n) => ids[n]);
    const queue = await trustLinks.listQueue(operator);
    expect(idsIn(queue, parties)).toEqual(expected);
    expect(queue[2]).toEqual({
      linkId: ids[5],
      applicationId: parties.applicationId,
      userId: parties.userId,
      title: 'Changed',
      url: trustLinks.goodLink.url,
      platform: trustLinks.goodLink.platform,
      priority: true,
      submittedAt: isoAt(204),
      revision: 3,
    });
    expect(idsIn(await trustLinks.listQueue(operator, '3'), parties)).toEqual(expected);
  });

  test('has no gaps and no duplicates while listed links are decided, also where a shard takes several pages', async () => {
    const [parties, operator] = await Promise.all([trustLinks.newParties(), newOperatorKey()]);
    const large = {
      title: 'Large',
      url: `https://example.com/${'豪'.repeat(2_020)}`,
      platform: 'page',
      description: '豪'.repeat(1_000),
    };
    const ids = new Set<string>();
    for (let n = 0; n < 8; n += 1)
      for (const { _id } of (await trustLinks.submit(parties, Array(35).fill(large))).body.trustLinks)
        ids.add(_id);
    const pages = await pagesOf(
      (place) => call('links.review-list', { headers: bearer(operator), query: { limit: '60', ...place } }),
      async ({ reviews }) => {
        for (const id of idsIn(reviews, parties).slice(-2))
          await trustLinks.decide(operator, id, { decision: 'verified' });
      },
    );
    const listed = pages.flatMap(({ reviews }) => idsIn(reviews, parties));
    expect(new Set(listed)).toEqual(ids);
    expect(listed).toHaveLength(280);
  });
});

describe('GET /api/operator/reviews/{linkId}', () => {
  test('shows the link, its user with their accounts, and the history with actor, time, reason and former values', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const [parties, operator] = await Promise.all([
      trustLinks.newParties(),
      newSecret('operator_key', { name: 'Rita', scopes: ['review'] }),
    ]);
    const { userId, applicationId } = parties;
    const socialAccount = {
      platform: 'YouTube',
      username: 'ann',
      url: 'https://youtube.com/@ann',
      verified: true,
      verificationStatus: 'verified',
      isPrimary: true,
    };
    const times = { createdAtMs: 1, updatedAtMs: 1 };
    await putItem({
      ...keys.socialAccount(userId, 'youtube#ann'),
      accountId: 'acc_1',
      ...socialAccount,
      ...times,
    });
    const _id = await trustLinks.submittedId(parties);
    at(60);
    await trustLinks.decide(operator.secret, _id, { decision: 'rejected', reason: 'Not theirs' });
    at(120);
    const scopes = ['trust_links:write'];
    const token = await newSecret('access_token', { applicationId, userId, scopes });
    const url = 'https://b.example/';
    await call('links.update', { headers: bearer(token.secret), params: { id: _id }, body: { url } });
    at(180);
    await trustLinks.decide(operator.secret, _id, { decision: 'verified' });

    const { body } = await review(operator.secret, _id);
    const byApplication = { kind: 'application', id: applicationId };
    // The name of the person who decided.
    const by = { kind: 'operator', id: operator.keyId, name: 'Rita' };
    const before = { verificationStatus: 'pending' };
    const rejected = { url: trustLinks.goodLink.url, verificationStatus: 'rejected', reviewedAt: isoAt(60) };
    const history = [
      { event: 'submitted', revision: 1, at: isoAt(0), by: byApplication },
      { event: 'rejected', revision: 2, at: isoAt(60), by, reason: 'Not theirs', before },
      { event: 'changed', revision: 3, at: isoAt(120), by: { kind: 'user', id: userId }, before: rejected },
      { event: 'verified', revision: 4, at: isoAt(180), by, before },
    ];
    const trustLink = {
      _id,
      ...trustLinks.goodLink,
      url,
      verificationStatus: 'verified',
      createdAt: isoAt(0),
      reviewedAt: isoAt(180),
    };
    expect(body).toEqual({
      trustLink,
      revision: 4,
      user: { userId, email: `${userId}@example.com`, name: 'Ann', status: 'active', verified: true },
      socialAccounts: [{ id: 'acc_1', ...socialAccount }],
      history,
    });

    at(240);
    await call('links.remove', trustLinks.linkCall(parties, _id));
    const afterRemoval = (await review(operator.secret, _id)).body;
    expect(afterRemoval).toMatchObject({ trustLink: null, revision: 5, user: { userId } });
    const removed = { event: 'removed', revision: 5, at: isoAt(240), by: byApplication, before: trustLink };
    expect(afterRemoval.history).toEqual([...history, removed]);
  });

  test.each(['x', newId('lnk', 0)])('%j is not_found for read and decide', async (linkId) => {
    const operator = await newOperatorKey();
    expect(outcome(await review(operator, linkId))).toEqual([404, 'not_found']);
    const decision = await trustLinks.decide(operator, linkId, { decision: 'verified', revision: 1 });
    expect(outcome(decision)).toEqual([404, 'not_found']);
  });
});

describe('POST /api/operator/reviews/{linkId}', () => {
  test.each(['verified', 'rejected'] as const)(
    '%s: returns the link, which leaves the queue',
    async (decision) => {
      vi.useFakeTimers({ toFake: ['Date'], now: startMs });
      const { operator, id: _id } = await underReview();
      const { status, body } = await trustLinks.decide(operator, _id, { decision });
      const trustLink = {
        _id,
        ...trustLinks.goodLink,
        verificationStatus: decision,
        createdAt: isoAt(0),
        reviewedAt: isoAt(0),
      };
      expect([status, body]).toEqual([200, { trustLink }]);
      expect((await trustLinks.listQueue(operator)).map(({ linkId }) => linkId)).not.toContain(_id);
    },
  );

  test('is a conflict without effect when the link has changed since it was read', async () => {
    const { parties, operator, id } = await underReview();
    await update(parties, id, { url: 'https://other.example/' });
    for (const revision of [1, 3])
      expect(outcome(await trustLinks.decide(operator, id, { decision: 'verified', revision }))).toEqual([
        409,
        'conflict',
      ]);
    expect(await statusOf(parties, id)).toBe('pending');
    expect((await trustLinks.decide(operator, id, { decision: 'verified', revision: 2 })).status).toBe(200);
  });
});
