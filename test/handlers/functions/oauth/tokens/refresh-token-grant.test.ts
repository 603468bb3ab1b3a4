import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findSecret } from '../../../../../functions/shared/auth/secrets.ts';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { call } from '../../../../support/call.ts';
import {
  invalidGrant,
  isAccepted,
  isStored,
  outcome,
  suspendUser,
} from '../../../../support/oauth/tokens.ts';
import { bodyCredentials, newTokens, requestRefresh, tokenCall } from '../../../../support/samples/oauth.ts';
import { newTenant } from '../../../../support/tenants.ts';

beforeEach(() => {
  vi.setSystemTime(Date.now());
});
afterEach(() => vi.useRealTimers());

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('an access token', () => {
  test('is valid for one hour', async () => {
    const { access } = await newTokens();
    advance(3_599_000);
    expect(await isAccepted(access)).toBe(true);
    advance(1_000);
    expect(await isAccepted(access)).toBe(false);
  });

  test('stays valid until ten newer ones are issued', async () => {
    const { tenant, access, refresh } = await newTokens();
    let next = refresh;
    for (let i = 0; i < 10; i += 1) {
      expect(await isStored(access)).toBe(true);
      next = (await requestRefresh(tenant, next)).body.refresh_token;
    }
    expect(await isStored(access)).toBe(false);
  });
});

describe('a refresh token', () => {
  test('is rotated at each use and keeps its scopes', async () => {
    const { tenant, refresh, access } = await newTokens({ scope: 'profile vault' });
    const { status, body } = await requestRefresh(tenant, refresh);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'profile vault' });
    expect(body.refresh_token).not.toBe(refresh);
    expect(body.access_token).not.toBe(access);
  });

  test('can issue an access token with fewer scopes, never more, and keeps all its own', async () => {
    const { tenant, refresh } = await newTokens({ scope: 'profile vault' });
    for (const scope of ['trust_links:write', 'profile trust_links:write', 'nonsense']) {
      expect(outcome(await requestRefresh(tenant, refresh, { scope }))).toEqual([400, 'invalid_scope']);
    }
    const { body } = await requestRefresh(tenant, refresh, { scope: 'profile' });
    expect(body.scope).toBe('profile');
    expect(await findSecret('access_token', body.access_token, Date.now())).toMatchObject({
      scopes: ['profile'],
    });
    expect((await requestRefresh(tenant, body.refresh_token)).body.scope).toBe('profile vault');
  });

  test('used five times concurrently yields the same tokens each time', async () => {
    const { tenant, refresh } = await newTokens();
    const responses = await Promise.all(Array.from({ length: 5 }, () => requestRefresh(tenant, refresh)));
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(new Set(responses.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size).toBe(1);
    const next = responses[0]?.body;
    expect(await isAccepted(next.access_token)).toBe(true);
    expect((await requestRefresh(tenant, next.refresh_token)).status).toBe(200);
  });

  test('used again within ten seconds yields the same tokens with their remaining lifetime', async () => {
    const { tenant, refresh } = await newTokens();
    const { body: first } = await requestRefresh(tenant, refresh);
    advance(9_000);
    const { body: retried } = await requestRefresh(tenant, refresh);
    expect(retried).toEqual({ ...first, expires_in: 3591 });
    expect((await requestRefresh(tenant, retried.refresh_token)).status).toBe(200);
  });

  test('replayed after ten seconds revokes the token family within thirty seconds', async () => {
    const { tenant, access, refresh } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    expect([await isAccepted(access), await isAccepted(body.access_token)]).toEqual([true, true]);
    advance(11_000);
    expect(outcome(await requestRefresh(tenant, refresh))).toEqual(invalidGrant);
    expect(outcome(await requestRefresh(tenant, body.refresh_token))).toEqual(invalidGrant);
    expect([await isStored(access), await isStored(body.access_token)]).toEqual([false, false]);
    advance(29_000);
    expect([await isAccepted(access), await isAccepted(body.access_token)]).toEqual([false, false]);
  });

  test('expires 30 days after its last use', async () => {
    const { tenant, refresh } = await newTokens();
    const month = 30 * 86_400_000;
    advance(month - 1_000);
    const { body, status } = await requestRefresh(tenant, refresh);
    expect(status).toBe(200);
    advance(month - 1_000);
    const { body: next } = await requestRefresh(tenant, body.refresh_token);
    advance(month);
    expect(outcome(await requestRefresh(tenant, next.refresh_token))).toEqual(invalidGrant);
  });

  test('of another application is refused and stays valid', async () => {
    const { tenant, refresh } = await newTokens();
    expect(outcome(await requestRefresh(await newTenant(), refresh))).toEqual(invalidGrant);
    expect((await requestRefresh(tenant, refresh)).status).toBe(200);
  });

  test('of a suspended user is refused', async () => {
    const { tenant, refresh, user } = await newTokens();
    await suspendUser(user.userId);
    expect(outcome(await requestRefresh(tenant, refresh))).toEqual(invalidGrant);
  });

  test('leaves no valid token when its use races with its revocation', async () => {
    for (let i = 0; i < 2; i += 1) {
      const { tenant, refresh } = await newTokens();
      const [response, revoked] = await Promise.all([
        requestRefresh(tenant, refresh),
        call('oauth.revoke', tokenCall({ token: refresh, ...bodyCredentials(tenant) })),
      ]);
      expect(revoked.status).toBe(200);
      if (response.status === 200) {
        expect(await isStored(response.body.access_token)).toBe(false);
        expect(outcome(await requestRefresh(tenant, response.body.refresh_token))).toEqual(invalidGrant);
      }
    }
  });
});

describe('the table', () => {
  test('stores only hashes of codes and tokens', async () => {
    const { code, access, refresh, tenant, user } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    const record = await getItem(keys.secret('access_token', secretHash(access)));
    const family = await getItem(keys.grant(user.userId, record?.familyId as string));
    const stored = JSON.stringify([
      record,
      family,
      await getItem(keys.secret('authorization_code', secretHash(code))),
    ]);
    for (const secret of [code, access, refresh, body.access_token, body.refresh_token]) {
      expect(stored).not.toContain(secret.slice(4));
    }
  });
});
