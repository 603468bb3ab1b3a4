import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findSecret } from '../../../../../functions/shared/auth/secrets.ts';
import {
  invalidGrant,
  isAccepted,
  isStored,
  outcome,
  suspendUser,
} from '../../../../support/oauth/tokens.ts';
import {
  newGrant,
  newPkce,
  newTokens,
  requestRefresh,
  requestTokens,
} from '../../../../support/samples/oauth.ts';
import { newTenant } from '../../../../support/tenants.ts';

beforeEach(() => {
  vi.setSystemTime(Date.now());
});
afterEach(() => vi.useRealTimers());

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('the authorization code grant', () => {
  test('issues tokens with their lifetime and scopes', async () => {
    const { tenant, user, redemption } = await newGrant({ scope: 'vault profile' });
    const response = await requestTokens(tenant, redemption);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^vat_[\w-]{22,}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^vrt_[\w-]{22,}$/),
      scope: 'profile vault',
    });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(await findSecret('access_token', response.body.access_token, Date.now())).toMatchObject({
      applicationId: tenant.applicationId,
      userId: user.userId,
      scopes: ['profile', 'vault'],
    });
  });

  test('issues one set of tokens for five concurrent redemptions of a code, and revokes it', async () => {
    const { tenant, redemption } = await newGrant();
    const responses = await Promise.all(Array.from({ length: 5 }, () => requestTokens(tenant, redemption)));
    const good = responses.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    for (const response of responses)
      if (response !== good[0]) expect(outcome(response)).toEqual(invalidGrant);
    expect(await isStored(good[0]?.body.access_token)).toBe(false);
    expect(outcome(await requestRefresh(tenant, good[0]?.body.refresh_token))).toEqual(invalidGrant);
  });

  test('revokes all tokens of a code that is redeemed again, also those refreshed since', async () => {
    const { tenant, redemption, refresh } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    advance(3 * 86_400_000);
    const { body: later } = await requestRefresh(tenant, body.refresh_token);
    expect(await isAccepted(later.access_token)).toBe(true);
    expect(outcome(await requestTokens(tenant, redemption))).toEqual(invalidGrant);
    advance(29_000);
    expect(await isAccepted(later.access_token)).toBe(false);
    expect(outcome(await requestRefresh(tenant, later.refresh_token))).toEqual(invalidGrant);
  });

  test('refuses a code of another application without any effect on its tokens', async () => {
    const { tenant, redemption } = await newGrant();
    const other = await newTenant();
    expect(outcome(await requestTokens(other, redemption))).toEqual(invalidGrant);
    const { body, status } = await requestTokens(tenant, redemption);
    expect(status).toBe(200);
    expect(outcome(await requestTokens(other, redemption))).toEqual(invalidGrant);
    expect(await isStored(body.access_token)).toBe(true);
  });

  test('refuses a code after 60 seconds', async () => {
    const early = await newGrant();
    const late = await newGrant();
    advance(59_000);
    expect((await requestTokens(early.tenant, early.redemption)).status).toBe(200);
    advance(2_000);
    expect(outcome(await requestTokens(late.tenant, late.redemption))).toEqual(invalidGrant);
  });

  test('requires the code verifier that matches the challenge, and a wrong one does not consume the code', async () => {
    const { tenant, redemption } = await newGrant();
    for (const code_verifier of [
      '',
      newPkce().verifier,
      redemption.code_verifier?.slice(1) ?? '',
      'x'.repeat(200),
    ]) {
      expect(outcome(await requestTokens(tenant, { ...redemption, code_verifier }))).toEqual(invalidGrant);
    }
    const { code_verifier: _, ...without } = redemption;
    expect(outcome(await requestTokens(tenant, without))).toEqual(invalidGrant);
    expect((await requestTokens(tenant, redemption)).status).toBe(200);
  });

  test('refuses a code verifier when there was no challenge, which an attacker may have removed', async () => {
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    const { tenant, redemption } = await newGrant(bare, { pkceOptional: true });
    expect(outcome(await requestTokens(tenant, redemption))).toEqual(invalidGrant);
    const { code_verifier: _, ...without } = redemption;
    expect((await requestTokens(tenant, without)).status).toBe(200);
  });

  test('requires the redirect URI that the authorization request named, and never accepts another', async () => {
    const named = await newGrant();
    const { redirect_uri: _, ...without } = named.redemption;
    expect(outcome(await requestTokens(named.tenant, without))).toEqual(invalidGrant);
    const other = { ...named.redemption, redirect_uri: 'https://app.example/other' };
    expect(outcome(await requestTokens(named.tenant, other))).toEqual(invalidGrant);

    const left = await newGrant({ redirect_uri: undefined });
    const wrong = { ...left.redemption, redirect_uri: 'https://app.example/other' };
    expect(outcome(await requestTokens(left.tenant, wrong))).toEqual(invalidGrant);
    expect((await requestTokens(left.tenant, left.redemption)).status).toBe(200);
  });

  test('refuses the code of a user who has been suspended', async () => {
    const { tenant, user, redemption } = await newGrant();
    await suspendUser(user.userId);
    expect(outcome(await requestTokens(tenant, redemption))).toEqual(invalidGrant);
  });
});
