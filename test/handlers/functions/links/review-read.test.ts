import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { call } from '../../../support/call.ts';
import { decide, goodLink, linkCall, newParties, submittedId } from '../../../support/samples/links.ts';
import { putItem } from '../../../support/stored-items.ts';
import { bearer, newOperatorKey, newSecret } from '../../../support/tenants.ts';

const review = (key: string, linkId: string) =>
  call('links.review-read', { headers: bearer(key), params: { linkId } });

afterEach(() => {
  vi.useRealTimers();
});

describe('GET /api/operator/reviews/{linkId}', () => {
  test('shows the link, its user with their accounts, and the history with actor, time, reason and former values', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T10:00:00Z') });
    const [parties, operator] = await Promise.all([
      newParties(),
      newSecret('operator_key', { name: 'Rita', scopes: ['review'] }),
    ]);
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
    await decide(operator.secret, _id, { decision: 'rejected', reason: 'Not theirs' });
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
    // The name of the person who decided.
    const byOperator = { kind: 'operator', id: operator.keyId, name: 'Rita' };
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
        reason: 'Not theirs',
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
      const responses = [
        await review(operator, linkId),
        await decide(operator, linkId, { decision: 'verified', revision: 1 }),
      ];
      for (const response of responses)
        expect([response.status, response.body.error]).toEqual([404, 'not_found']);
    },
  );
});
