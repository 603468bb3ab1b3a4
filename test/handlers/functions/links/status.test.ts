/** The two batch questions: the status of links, and of social accounts. */

import * as keys from '../../../../functions/shared/contract/keys.ts';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { call, newOperatorKey, putItem } from '../../../support/call.ts';
import {
  asApplication,
  decide,
  newParties,
  type Parties,
  submit,
  submittedId,
} from '../../../support/samples/links.ts';

const ask = (parties: Parties, body: { linkIds: unknown } | { platforms: unknown }) =>
  call('linkIds' in body ? 'links.status' : 'links.social-account-status', {
    headers: asApplication(parties),
    body,
  });

test.each<[Parameters<typeof ask>[1], string, string]>([
  [{ linkIds: [] }, 'invalid_request', 'linkIds'],
  [{ linkIds: Array.from({ length: 101 }, () => newId('lnk', 0)) }, 'limit_exceeded', 'linkIds'],
  [{ platforms: ['x'.repeat(51)] }, 'invalid_request', 'platforms[0]'],
  [{ platforms: Array.from({ length: 51 }, (_, i) => `p${i}`) }, 'limit_exceeded', 'platforms'],
])('%j is refused', async (body, error, field) => {
  const response = await ask(await newParties(), body);
  expect([response.status, response.body.error]).toEqual([400, error]);
  expect(Object.keys(response.body.details)).toContain(field);
});

test('POST /api/trust-links/verify returns results in the order of the request without duplicates, and counts missing links', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T10:00:00Z') });
  const [parties, foreign, operator] = await Promise.all([newParties(), newParties(), newOperatorKey()]);
  const submitted = await submit(parties, 3);
  const [a, b, c] = submitted.body.trustLinks.map(({ _id }: { _id: string }) => _id);
  await decide(operator, a, { decision: 'verified' });
  await decide(operator, b, { decision: 'rejected' });
  const missing = [await submittedId(foreign), newId('lnk', 0), 'nonsense', ''];
  const { body } = await ask(parties, { linkIds: [c, missing[0], a, c, ...missing, b, a] });
  const reviewedAt = '2026-03-01T10:00:00.000Z';
  expect(body).toEqual({
    success: true,
    results: [
      { id: c, title: 'Link 3', status: 'pending', reviewedAt: null },
      { id: a, title: 'Link 1', status: 'verified', reviewedAt },
      { id: b, title: 'Link 2', status: 'rejected', reviewedAt },
    ],
    summary: { total: 7, verified: 1, pending: 1, rejected: 1, notFound: 4 },
  });
});

describe('POST /api/social-accounts/verify', () => {
  const url = (n: number) => `https://example.com/ann${n}`;
  const putAccounts = async (userId: string, accounts: Record<string, unknown>[]) => {
    for (const [i, more] of accounts.entries()) {
      const { platform = 'YouTube' } = more;
      await putItem({
        ...keys.socialAccount(userId, `${String(platform).toLowerCase()}#ann${i}`),
        accountId: `acc_${i}`,
        platform,
        username: `ann${i}`,
        url: url(i),
        verified: false,
        verificationStatus: 'unverified',
        isPrimary: false,
        createdAtMs: i,
        updatedAtMs: i,
        ...more,
      });
    }
  };

  test('returns one result per distinct platform in the order of the request, regardless of case', async () => {
    const parties = await newParties();
    await putAccounts(parties.userId, [
      { platform: 'YouTube', verified: true, verificationStatus: 'verified', isPrimary: true },
      { platform: 'Twitch', verificationStatus: 'pending' },
      { platform: 'GitHub', verificationStatus: 'rejected' },
      { platform: 'Vimeo' },
    ]);
    const platforms = ['vimeo', 'MySpace', 'YOUTUBE', 'github', 'youtube', 'twitch', 'myspace'];
    const { status, body } = await ask(parties, { platforms });
    const shown = (n: number, platform: string, verificationStatus: string, is = false) => ({
      id: `acc_${n}`,
      platform,
      username: `ann${n}`,
      url: url(n),
      verified: is,
      verificationStatus,
      isPrimary: is,
    });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        results: [
          shown(3, 'Vimeo', 'unverified'),
          { platform: 'MySpace', status: 'not_found' },
          shown(0, 'YouTube', 'verified', true),
          shown(2, 'GitHub', 'rejected'),
          shown(1, 'Twitch', 'pending'),
        ],
        summary: { total: 5, verified: 1, pending: 1, rejected: 1, unverified: 2 },
      },
    ]);
  });

  test.each([
    ['the primary of several', [{}, { isPrimary: true }, {}]],
    ['the newest when none is primary', [{ createdAtMs: 5 }, { createdAtMs: 9 }, { createdAtMs: 7 }]],
    ['the newest primary', [{ isPrimary: true }, { isPrimary: true }, {}]],
  ])('shows %s', async (_, accounts) => {
    const parties = await newParties();
    await putAccounts(parties.userId, accounts);
    expect((await ask(parties, { platforms: ['youtube'] })).body.results).toMatchObject([{ id: 'acc_1' }]);
  });

  test('shows no account of another user, and none of an unknown user', async () => {
    const [parties, other] = await Promise.all([newParties(), newParties()]);
    await putAccounts(other.userId, [{}]);
    for (const asking of [parties, { ...parties, userId: 'nobody' }])
      expect((await ask(asking, { platforms: ['YouTube'] })).body.results).toEqual([
        { platform: 'YouTube', status: 'not_found' },
      ]);
  });
});
