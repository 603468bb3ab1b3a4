import { describe, expect, test } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { call } from '../../../support/call.ts';
import { asApplication, newParties, type Parties } from '../../../support/samples/links.ts';
import { putItem } from '../../../support/stored-items.ts';

const accounts = (parties: Parties, body: object) =>
  call('links.social-account-status', { headers: asApplication(parties), body });

describe('POST /api/social-accounts/verify', () => {
  const putAccounts = async (userId: string, accounts: Record<string, unknown>[]) => {
    for (const [i, more] of accounts.entries()) {
      const { platform, username, ...rest } = { platform: 'YouTube', username: `ann${i}`, ...more };
      await putItem({
        ...keys.socialAccount(userId, `${platform.toLowerCase()}#${username}`),
        accountId: `acc_${i}`,
        platform,
        username,
        url: `https://example.com/${username}`,
        verified: false,
        verificationStatus: 'unverified',
        isPrimary: false,
        createdAtMs: i,
        updatedAtMs: i,
        ...rest,
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
    const { status: code, body } = await accounts(parties, { platforms });
    expect(code).toBe(200);
    const url = (n: number) => `https://example.com/ann${n}`;
    const rest = { verified: false, isPrimary: false };
    expect(body).toEqual({
      success: true,
      results: [
        {
          id: 'acc_3',
          platform: 'Vimeo',
          username: 'ann3',
          url: url(3),
          ...rest,
          verificationStatus: 'unverified',
        },
        { platform: 'MySpace', status: 'not_found' },
        {
          id: 'acc_0',
          platform: 'YouTube',
          username: 'ann0',
          url: url(0),
          verified: true,
          verificationStatus: 'verified',
          isPrimary: true,
        },
        {
          id: 'acc_2',
          platform: 'GitHub',
          username: 'ann2',
          url: url(2),
          ...rest,
          verificationStatus: 'rejected',
        },
        {
          id: 'acc_1',
          platform: 'Twitch',
          username: 'ann1',
          url: url(1),
          ...rest,
          verificationStatus: 'pending',
        },
      ],
      summary: { total: 5, verified: 1, pending: 1, rejected: 1, unverified: 2 },
    });
  });

  test.each([
    ['the primary of several', [{}, { isPrimary: true }, {}], 'acc_1'],
    [
      'the newest when none is primary',
      [{ createdAtMs: 5 }, { createdAtMs: 9 }, { createdAtMs: 7 }],
      'acc_1',
    ],
    ['the newest primary', [{ isPrimary: true }, { isPrimary: true }, {}], 'acc_1'],
  ])('shows %s', async (_, userAccounts, id) => {
    const parties = await newParties();
    await putAccounts(parties.userId, userAccounts);
    expect((await accounts(parties, { platforms: ['youtube'] })).body.results).toEqual([
      expect.objectContaining({ id }),
    ]);
  });

  test('shows no account of another user, and none of an unknown user', async () => {
    const [parties, other] = await Promise.all([newParties(), newParties()]);
    await putAccounts(other.userId, [{}]);
    for (const requester of [parties, { ...parties, userId: 'nobody' }])
      expect((await accounts(requester, { platforms: ['YouTube'] })).body).toEqual({
        success: true,
        results: [{ platform: 'YouTube', status: 'not_found' }],
        summary: { total: 1, verified: 0, pending: 0, rejected: 0, unverified: 1 },
      });
  });

  test.each<[unknown, string, string]>([
    [[''], 'invalid_request', 'platforms[0]'],
    [['x'.repeat(51)], 'invalid_request', 'platforms[0]'],
    [Array.from({ length: 51 }, (_, i) => `p${i}`), 'limit_exceeded', 'platforms'],
  ])('%j is refused', async (platforms, error, field) => {
    const response = await accounts(await newParties(), { platforms });
    expect([response.status, response.body.error]).toEqual([400, error]);
    expect(Object.keys(response.body.details)).toContain(field);
  });
});
