/** The two grants of the token endpoint. */

import { findSecret } from '../../../../../functions/shared/auth/secrets.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../../functions/shared/contract/secret.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { newTenant } from '../../../../support/call.ts';
import { advance, onStoppedClock } from '../../../../support/oauth/access.ts';
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

onStoppedClock();

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

  test('revokes all tokens of a code that is redeemed again, also those refreshed since', async () => {
    const { tenant, redemption, refresh } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    advance(3 * dayMs);
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

  test('used concurrently yields the same tokens each time', async () => {
    const { tenant, refresh } = await newTokens();
    const answers = await Promise.all(Array.from({ length: 5 }, () => requestRefresh(tenant, refresh)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(new Set(answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size).toBe(1);
    const next = answers[0]?.body;
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
    const month = 30 * dayMs;
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
});

test('the table stores only hashes of codes and tokens', async () => {
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
