import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../functions/shared/contract/secret.ts';
import { getItem, updateItem } from '../../../functions/shared/table/table.ts';
import { type Answered, call, freshAddress } from '../../support/call.ts';
import {
  basicCredentials,
  bodyCredentials,
  form,
  formType,
  newGrant,
  newPkce,
  newTokens,
  requestRefresh,
  requestTokens,
  tokenCall,
} from '../../support/oauth-samples.ts';
import { newTenant, newUser } from '../../support/tenants.ts';

beforeEach(() => {
  vi.setSystemTime(Date.now());
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const outcome = ({ status, body }: Answered) => [status, body.error];
const invalidGrant = [400, 'invalid_grant'];
/** Whether endpoints accept the token. They cache it for 20 seconds. */
const isAccepted = async (token: string) =>
  (await findSecret('access_token', token, Date.now())) !== undefined;
const isStored = async (token: string) => (await getItem(keys.secret(secretHash(token)))) !== undefined;

describe('the authorization code grant', () => {
  test('issues tokens with their lifetime and scopes', async () => {
    const { tenant, user, redemption } = await newGrant({ scope: 'vault profile' });
    const answer = await requestTokens(tenant, redemption);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^vat_[\w-]{22,}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^vrt_[\w-]{22,}$/),
      scope: 'profile vault',
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await findSecret('access_token', answer.body.access_token, Date.now())).toMatchObject({
      applicationId: tenant.applicationId,
      userId: user.userId,
      scopes: ['profile', 'vault'],
    });
  });

  test('issues one set of tokens for ten concurrent redemptions of a code, and revokes it', async () => {
    const { tenant, redemption } = await newGrant();
    const answers = await Promise.all(Array.from({ length: 10 }, () => requestTokens(tenant, redemption)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    for (const answer of answers) if (answer !== good[0]) expect(outcome(answer)).toEqual(invalidGrant);
    expect(await isStored(good[0]?.body.access_token)).toBe(false);
    expect(outcome(await requestRefresh(tenant, good[0]?.body.refresh_token))).toEqual(invalidGrant);
  });

  test('revokes all tokens of a code that is redeemed again, also those refreshed since', async () => {
    const { tenant, redemption, refresh } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    pass(3 * 86_400_000);
    const { body: later } = await requestRefresh(tenant, body.refresh_token);
    expect(await isAccepted(later.access_token)).toBe(true);
    expect(outcome(await requestTokens(tenant, redemption))).toEqual(invalidGrant);
    pass(29_000);
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
    pass(59_000);
    expect((await requestTokens(early.tenant, early.redemption)).status).toBe(200);
    pass(2_000);
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
    await suspend(user.userId);
    expect(outcome(await requestTokens(tenant, redemption))).toEqual(invalidGrant);
  });
});

const suspend = (userId: string) =>
  updateItem(keys.user(userId), {
    UpdateExpression: 'SET #status = :status',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': 'suspended' },
  });

describe('an access token', () => {
  test('is valid for one hour', async () => {
    const { access } = await newTokens();
    pass(3_599_000);
    expect(await isAccepted(access)).toBe(true);
    pass(1_000);
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

  test('used ten times concurrently yields the same tokens each time', async () => {
    const { tenant, refresh } = await newTokens();
    const answers = await Promise.all(Array.from({ length: 10 }, () => requestRefresh(tenant, refresh)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size).toBe(1);
    const next = answers[0]?.body;
    expect(await isAccepted(next.access_token)).toBe(true);
    expect((await requestRefresh(tenant, next.refresh_token)).status).toBe(200);
  });

  test('used again within ten seconds yields the same tokens with their remaining lifetime', async () => {
    const { tenant, refresh } = await newTokens();
    const { body: first } = await requestRefresh(tenant, refresh);
    pass(9_000);
    const { body: retried } = await requestRefresh(tenant, refresh);
    expect(retried).toEqual({ ...first, expires_in: 3591 });
    expect((await requestRefresh(tenant, retried.refresh_token)).status).toBe(200);
  });

  test('replayed after ten seconds revokes the token family within thirty seconds', async () => {
    const { tenant, access, refresh } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    expect([await isAccepted(access), await isAccepted(body.access_token)]).toEqual([true, true]);
    pass(11_000);
    expect(outcome(await requestRefresh(tenant, refresh))).toEqual(invalidGrant);
    expect(outcome(await requestRefresh(tenant, body.refresh_token))).toEqual(invalidGrant);
    expect([await isStored(access), await isStored(body.access_token)]).toEqual([false, false]);
    pass(29_000);
    expect([await isAccepted(access), await isAccepted(body.access_token)]).toEqual([false, false]);
  });

  test('replayed after two rotations revokes the token family even within ten seconds', async () => {
    const { tenant, refresh } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    const { body: newest } = await requestRefresh(tenant, body.refresh_token);
    expect(outcome(await requestRefresh(tenant, refresh))).toEqual(invalidGrant);
    expect(outcome(await requestRefresh(tenant, newest.refresh_token))).toEqual(invalidGrant);
  });

  test('expires 30 days after its last use', async () => {
    const { tenant, refresh } = await newTokens();
    const month = 30 * 86_400_000;
    pass(month - 1_000);
    const { body, status } = await requestRefresh(tenant, refresh);
    expect(status).toBe(200);
    pass(month - 1_000);
    const { body: next } = await requestRefresh(tenant, body.refresh_token);
    pass(month);
    expect(outcome(await requestRefresh(tenant, next.refresh_token))).toEqual(invalidGrant);
  });

  test('of another application is refused and stays valid', async () => {
    const { tenant, refresh } = await newTokens();
    expect(outcome(await requestRefresh(await newTenant(), refresh))).toEqual(invalidGrant);
    expect((await requestRefresh(tenant, refresh)).status).toBe(200);
  });

  test('of a suspended user is refused', async () => {
    const { tenant, refresh, user } = await newTokens();
    await suspend(user.userId);
    expect(outcome(await requestRefresh(tenant, refresh))).toEqual(invalidGrant);
  });

  test('leaves no valid token when its use races with its revocation', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { tenant, refresh } = await newTokens();
      const [answer, revoked] = await Promise.all([
        requestRefresh(tenant, refresh),
        call('oauth.revoke', tokenCall({ token: refresh, ...bodyCredentials(tenant) })),
      ]);
      expect(revoked.status).toBe(200);
      if (answer.status === 200) {
        expect(await isStored(answer.body.access_token)).toBe(false);
        expect(outcome(await requestRefresh(tenant, answer.body.refresh_token))).toEqual(invalidGrant);
      }
    }
  });
});

describe('the table', () => {
  test('stores only hashes of codes and tokens', async () => {
    const { code, access, refresh, tenant } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    const record = await getItem(keys.secret(secretHash(access)));
    const family = await getItem(keys.family(record?.familyId as string));
    const stored = JSON.stringify([record, family, await getItem(keys.secret(secretHash(code)))]);
    for (const secret of [code, access, refresh, body.access_token, body.refresh_token]) {
      expect(stored).not.toContain(secret.slice(4));
    }
  });
});

describe('client authentication', () => {
  const unknownGrant = { grant_type: 'refresh_token', refresh_token: 'vrt_unknown' };
  const ask = (fields: Record<string, string>, headers = {}) =>
    call('oauth.token', tokenCall({ ...unknownGrant, ...fields }, headers));

  test('accepts HTTP Basic, credentials in the body, and the id of a public client', async () => {
    const tenant = await newTenant();
    const open = await newTenant({ public: true });
    const { applicationId: id, clientSecret: secret } = tenant;
    for (const answer of [
      await ask({}, basicCredentials(id, secret)),
      await ask({ client_id: id }, basicCredentials(id, secret)),
      await ask({ client_id: id, client_secret: secret }),
      await ask({ client_id: open.applicationId }),
      await ask({ client_id: open.applicationId, client_secret: open.clientSecret }),
    ]) {
      expect(outcome(answer)).toEqual(invalidGrant);
    }
  });

  test('fails with 401 and a Basic challenge', async () => {
    const tenant = await newTenant();
    const other = await newTenant();
    const open = await newTenant({ public: true });
    const { applicationId: id, clientSecret: secret } = tenant;
    for (const answer of [
      await ask({}),
      await ask({ client_id: '' }),
      await ask({ client_id: id }),
      await ask({ client_id: id, client_secret: '' }),
      await ask({ client_id: 'app_unknown', client_secret: secret }),
      await ask({ client_id: id, client_secret: `${secret}x` }),
      await ask({ client_id: id, client_secret: other.clientSecret }),
      await ask({ client_id: id, client_secret: tenant.apiKey }),
      await ask({ client_id: open.applicationId, client_secret: 'wrong' }),
      await ask({}, basicCredentials(id, 'wrong')),
      await ask({}, basicCredentials('', secret)),
      await ask({}, { authorization: `Bearer ${secret}` }),
      await ask({}, { authorization: 'Basic' }),
      await ask({}, { authorization: 'Basic %%%' }),
      await ask({}, { authorization: `Basic ${Buffer.from('no colon').toString('base64')}` }),
      await ask({}, { authorization: `Basic ${Buffer.from('%zz:%zz').toString('base64')}` }),
    ]) {
      expect(outcome(answer)).toEqual([401, 'invalid_client']);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="oauth"/);
      expect(answer.body.error_description).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  test('refuses two methods in one request', async () => {
    const { applicationId: id, clientSecret: secret } = await newTenant();
    for (const fields of [{ client_id: id, client_secret: secret }, { client_id: 'app_other' }]) {
      expect(outcome(await ask(fields as never, basicCredentials(id, secret)))).toEqual([
        400,
        'invalid_request',
      ]);
    }
  });

  test('decodes the form-encoded id and secret of HTTP Basic', async () => {
    const { applicationId: id, clientSecret: secret } = await newTenant();
    const encoded = [...id].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    const authorization = `basic ${Buffer.from(`${encoded}:${secret.replace('_', '%5F')}`).toString('base64')}`;
    expect(outcome(await ask({}, { authorization }))).toEqual(invalidGrant);
  });
});

describe('a token request', () => {
  test('with an unsupported grant type or a missing parameter is refused', async () => {
    const tenant = await newTenant();
    for (const grant_type of ['password', 'client_credentials', 'implicit', 'Authorization_Code']) {
      expect(outcome(await requestTokens(tenant, { grant_type }))).toEqual([400, 'unsupported_grant_type']);
    }
    for (const fields of [
      {},
      { grant_type: '' },
      { grant_type: 'authorization_code' },
      { grant_type: 'refresh_token' },
    ]) {
      expect(outcome(await requestTokens(tenant, fields as never))).toEqual([400, 'invalid_request']);
    }
  });

  test('with a repeated parameter, as JSON, or without a body is refused', async () => {
    const { tenant, redemption } = await newGrant();
    const fields = { ...redemption, ...bodyCredentials(tenant) };
    const good = form(fields);
    for (const [body, type] of [
      ...Object.entries(fields).map(([name, value]) => [
        `${good}&${name}=${encodeURIComponent(value)}`,
        undefined,
      ]),
      [JSON.stringify(fields), 'application/json'],
      [good, 'text/plain'],
      ['', undefined],
    ] as [string, string | undefined][]) {
      const headers = type === undefined ? formType : { 'content-type': type };
      expect(outcome(await call('oauth.token', { body, headers }))).toEqual([400, 'invalid_request']);
    }
    expect((await call('oauth.token', tokenCall(fields))).status).toBe(200);
  });

  test.each(['vac_', 'vac_unknown', 'x'.repeat(5_000), 'vat_AAAAAAAAAAAAAAAAAAAAAA', '__proto__', '\u0000'])(
    'with the code or token %s is refused',
    async (secret) => {
      const tenant = await newTenant();
      const code = { grant_type: 'authorization_code', code: secret, code_verifier: newPkce().verifier };
      expect(outcome(await requestTokens(tenant, code))).toEqual(invalidGrant);
      expect(outcome(await requestRefresh(tenant, secret))).toEqual(invalidGrant);
    },
  );

  test('does not accept a secret of another kind', async () => {
    const { tenant, code, access, refresh } = await newTokens();
    for (const secret of [code, access, tenant.clientSecret]) {
      expect(outcome(await requestRefresh(tenant, secret))).toEqual(invalidGrant);
    }
    const more = { grant_type: 'authorization_code', code_verifier: newPkce().verifier };
    expect(outcome(await requestTokens(tenant, { ...more, code: refresh }))).toEqual(invalidGrant);
  });

  test('is rate-limited by client address', async () => {
    process.env.APPLICATION_REQUESTS_PER_SECOND = '3';
    try {
      const tenant = await newTenant();
      const sourceIp = freshAddress();
      const request = { ...tokenCall({ token: 'x', ...bodyCredentials(tenant) }), sourceIp };
      for (let i = 0; i < 3; i += 1) expect((await call('oauth.revoke', request)).status).toBe(200);
      const slow = await call('oauth.revoke', request);
      expect([...outcome(slow), slow.headers['retry-after']]).toEqual([429, 'temporarily_unavailable', '1']);
      expect((await call('oauth.revoke', { ...request, sourceIp: freshAddress() })).status).toBe(200);
    } finally {
      delete process.env.APPLICATION_REQUESTS_PER_SECOND;
    }
  });
});

describe('revocation', () => {
  const revoke = (fields: Record<string, string>) => call('oauth.revoke', tokenCall(fields));

  test('of a refresh token revokes all tokens of the consent', async () => {
    const { tenant, access, refresh } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    expect(await isAccepted(body.access_token)).toBe(true);
    const answer = await revoke({
      token: body.refresh_token,
      token_type_hint: 'access_token',
      ...bodyCredentials(tenant),
    });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    pass(29_000);
    for (const token of [access, body.access_token]) expect(await isAccepted(token)).toBe(false);
    expect(outcome(await requestRefresh(tenant, body.refresh_token))).toEqual(invalidGrant);
    expect((await revoke({ token: body.refresh_token, ...bodyCredentials(tenant) })).status).toBe(200);
  });

  test('of an access token revokes that token alone', async () => {
    const { tenant, access, refresh } = await newTokens();
    expect((await revoke({ token: access, ...bodyCredentials(tenant) })).status).toBe(200);
    expect(await isAccepted(access)).toBe(false);
    expect((await requestRefresh(tenant, refresh)).status).toBe(200);
  });

  test('of an unknown token, or a token of another application, gets the same response and revokes nothing', async () => {
    const { access, refresh } = await newTokens();
    const other = await newTenant();
    for (const token of ['unknown', 'vat_AAAAAAAAAAAAAAAAAAAAAA', access, refresh]) {
      const answer = await revoke({ token, ...bodyCredentials(other) });
      expect([answer.status, answer.body]).toEqual([200, {}]);
    }
    expect([await isStored(access), await isStored(refresh)]).toEqual([true, true]);
  });

  test('requires client authentication and a token', async () => {
    const tenant = await newTenant();
    expect(outcome(await revoke({ token: 'x', client_id: tenant.applicationId }))).toEqual([
      401,
      'invalid_client',
    ]);
    expect(outcome(await revoke(bodyCredentials(tenant)))).toEqual([400, 'invalid_request']);
  });
});

test('a token identifies the user who granted it', async () => {
  const { user, access } = await newTokens();
  const somebody = await newUser();
  const record = await findSecret('access_token', access, Date.now());
  expect(record?.userId).toBe(user.userId);
  expect(record?.userId).not.toBe(somebody.userId);
});
