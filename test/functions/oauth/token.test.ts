import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../functions/shared/contract/secret.ts';
import { getItem, updateItem } from '../../../functions/shared/table/table.ts';
import { type Answered, call, freshAddress } from '../../support/call.ts';
import {
  askTokens,
  basic,
  form,
  formType,
  newGrant,
  newPkce,
  newTokens,
  posted,
  refreshing,
  tokenCall,
} from '../../support/oauth-samples.ts';
import { newTenant, newUser } from '../../support/tenants.ts';

beforeEach(() => {
  vi.setSystemTime(Date.now());
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const outcome = ({ status, body }: Answered) => [status, body.error];
const refused = [400, 'invalid_grant'];
/** As every endpoint finds it, whose cache is over after 20 seconds. */
const isGood = async (token: string) => (await findSecret('access_token', token, Date.now())) !== undefined;
const isStored = async (token: string) => (await getItem(keys.secret(secretHash(token)))) !== undefined;

describe('a code', () => {
  test('gives tokens that say how long they live and what for', async () => {
    const { tenant, user, redemption } = await newGrant({ scope: 'vault profile' });
    const answer = await askTokens(tenant, redemption);
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

  test('of which ten are redeemed at once gives one set of tokens, and leaves none of it', async () => {
    const { tenant, redemption } = await newGrant();
    const answers = await Promise.all(Array.from({ length: 10 }, () => askTokens(tenant, redemption)));
    const good = answers.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    for (const answer of answers) if (answer !== good[0]) expect(outcome(answer)).toEqual(refused);
    expect(await isStored(good[0]?.body.access_token)).toBe(false);
    expect(outcome(await refreshing(tenant, good[0]?.body.refresh_token))).toEqual(refused);
  });

  test('that comes a second time ends what it gave, however often it was refreshed since', async () => {
    const { tenant, redemption, refresh } = await newTokens();
    const { body } = await refreshing(tenant, refresh);
    pass(3 * 86_400_000);
    const { body: later } = await refreshing(tenant, body.refresh_token);
    expect(await isGood(later.access_token)).toBe(true);
    expect(outcome(await askTokens(tenant, redemption))).toEqual(refused);
    pass(29_000);
    expect(await isGood(later.access_token)).toBe(false);
    expect(outcome(await refreshing(tenant, later.refresh_token))).toEqual(refused);
  });

  test('of somebody else is no code, and does no harm', async () => {
    const { tenant, redemption } = await newGrant();
    const other = await newTenant();
    expect(outcome(await askTokens(other, redemption))).toEqual(refused);
    const { body, status } = await askTokens(tenant, redemption);
    expect(status).toBe(200);
    expect(outcome(await askTokens(other, redemption))).toEqual(refused);
    expect(await isStored(body.access_token)).toBe(true);
  });

  test('lives 60 seconds', async () => {
    const early = await newGrant();
    const late = await newGrant();
    pass(59_000);
    expect((await askTokens(early.tenant, early.redemption)).status).toBe(200);
    pass(2_000);
    expect(outcome(await askTokens(late.tenant, late.redemption))).toEqual(refused);
  });

  test('needs the verifier of its challenge; a wrong one changes nothing', async () => {
    const { tenant, redemption } = await newGrant();
    for (const code_verifier of [
      '',
      newPkce().verifier,
      redemption.code_verifier?.slice(1) ?? '',
      'x'.repeat(200),
    ]) {
      expect(outcome(await askTokens(tenant, { ...redemption, code_verifier }))).toEqual(refused);
    }
    const { code_verifier: _, ...without } = redemption;
    expect(outcome(await askTokens(tenant, without))).toEqual(refused);
    expect((await askTokens(tenant, redemption)).status).toBe(200);
  });

  test('without a challenge takes no verifier: somebody may have taken the challenge out', async () => {
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    const { tenant, redemption } = await newGrant(bare, { pkceOptional: true });
    expect(outcome(await askTokens(tenant, redemption))).toEqual(refused);
    const { code_verifier: _, ...without } = redemption;
    expect((await askTokens(tenant, without)).status).toBe(200);
  });

  test('needs the redirect URI where the request named it, and takes no other in any case', async () => {
    const named = await newGrant();
    const { redirect_uri: _, ...without } = named.redemption;
    expect(outcome(await askTokens(named.tenant, without))).toEqual(refused);
    const other = { ...named.redemption, redirect_uri: 'https://app.example/other' };
    expect(outcome(await askTokens(named.tenant, other))).toEqual(refused);

    const left = await newGrant({ redirect_uri: undefined });
    const wrong = { ...left.redemption, redirect_uri: 'https://app.example/other' };
    expect(outcome(await askTokens(left.tenant, wrong))).toEqual(refused);
    expect((await askTokens(left.tenant, left.redemption)).status).toBe(200);
  });

  test('of a user who was suspended meanwhile gives nothing', async () => {
    const { tenant, user, redemption } = await newGrant();
    await suspend(user.userId);
    expect(outcome(await askTokens(tenant, redemption))).toEqual(refused);
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
  test('lives an hour', async () => {
    const { access } = await newTokens();
    pass(3_599_000);
    expect(await isGood(access)).toBe(true);
    pass(1_000);
    expect(await isGood(access)).toBe(false);
  });

  test('stays good when the next one is given, as long as there are not more than ten', async () => {
    const { tenant, access, refresh } = await newTokens();
    let next = refresh;
    for (let i = 0; i < 10; i += 1) {
      expect(await isStored(access)).toBe(true);
      next = (await refreshing(tenant, next)).body.refresh_token;
    }
    expect(await isStored(access)).toBe(false);
  });
});

describe('a refresh token', () => {
  test('is replaced at each use, and the scopes stay', async () => {
    const { tenant, refresh, access } = await newTokens({ scope: 'profile vault' });
    const { status, body } = await refreshing(tenant, refresh);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'profile vault' });
    expect(body.refresh_token).not.toBe(refresh);
    expect(body.access_token).not.toBe(access);
  });

  test('can give fewer scopes, never more, and has them all the next time', async () => {
    const { tenant, refresh } = await newTokens({ scope: 'profile vault' });
    for (const scope of ['trust_links:write', 'profile trust_links:write', 'nonsense']) {
      expect(outcome(await refreshing(tenant, refresh, { scope }))).toEqual([400, 'invalid_scope']);
    }
    const { body } = await refreshing(tenant, refresh, { scope: 'profile' });
    expect(body.scope).toBe('profile');
    expect(await findSecret('access_token', body.access_token, Date.now())).toMatchObject({
      scopes: ['profile'],
    });
    expect((await refreshing(tenant, body.refresh_token)).body.scope).toBe('profile vault');
  });

  test('used ten times at once gives one live chain, and the same one to all', async () => {
    const { tenant, refresh } = await newTokens();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refreshing(tenant, refresh)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`)).size).toBe(1);
    const next = answers[0]?.body;
    expect(await isGood(next.access_token)).toBe(true);
    expect((await refreshing(tenant, next.refresh_token)).status).toBe(200);
  });

  test('used again within ten seconds gives the same once more, for what is left of it', async () => {
    const { tenant, refresh } = await newTokens();
    const { body: first } = await refreshing(tenant, refresh);
    pass(9_000);
    const { body: retried } = await refreshing(tenant, refresh);
    expect(retried).toEqual({ ...first, expires_in: 3591 });
    expect((await refreshing(tenant, retried.refresh_token)).status).toBe(200);
  });

  test('used again after ten seconds ends the whole family within thirty', async () => {
    const { tenant, access, refresh } = await newTokens();
    const { body } = await refreshing(tenant, refresh);
    expect([await isGood(access), await isGood(body.access_token)]).toEqual([true, true]);
    pass(11_000);
    expect(outcome(await refreshing(tenant, refresh))).toEqual(refused);
    expect(outcome(await refreshing(tenant, body.refresh_token))).toEqual(refused);
    expect([await isStored(access), await isStored(body.access_token)]).toEqual([false, false]);
    pass(29_000);
    expect([await isGood(access), await isGood(body.access_token)]).toEqual([false, false]);
  });

  test('from two uses ago ends the family even within the ten seconds', async () => {
    const { tenant, refresh } = await newTokens();
    const { body } = await refreshing(tenant, refresh);
    const { body: newest } = await refreshing(tenant, body.refresh_token);
    expect(outcome(await refreshing(tenant, refresh))).toEqual(refused);
    expect(outcome(await refreshing(tenant, newest.refresh_token))).toEqual(refused);
  });

  test('lives 30 days from its last use', async () => {
    const { tenant, refresh } = await newTokens();
    const month = 30 * 86_400_000;
    pass(month - 1_000);
    const { body, status } = await refreshing(tenant, refresh);
    expect(status).toBe(200);
    pass(month - 1_000);
    const { body: next } = await refreshing(tenant, body.refresh_token);
    pass(month);
    expect(outcome(await refreshing(tenant, next.refresh_token))).toEqual(refused);
  });

  test('of another application does nothing, and does no harm', async () => {
    const { tenant, refresh } = await newTokens();
    expect(outcome(await refreshing(await newTenant(), refresh))).toEqual(refused);
    expect((await refreshing(tenant, refresh)).status).toBe(200);
  });

  test('of a suspended user gives nothing', async () => {
    const { tenant, refresh, user } = await newTokens();
    await suspend(user.userId);
    expect(outcome(await refreshing(tenant, refresh))).toEqual(refused);
  });

  test('races with its revocation: whoever wins, nothing of it is left', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { tenant, refresh } = await newTokens();
      const [answer, revoked] = await Promise.all([
        refreshing(tenant, refresh),
        call('oauth.revoke', tokenCall({ token: refresh, ...posted(tenant) })),
      ]);
      expect(revoked.status).toBe(200);
      if (answer.status === 200) {
        expect(await isStored(answer.body.access_token)).toBe(false);
        expect(outcome(await refreshing(tenant, answer.body.refresh_token))).toEqual(refused);
      }
    }
  });
});

describe('nothing but hashes is stored', () => {
  test('of codes and tokens', async () => {
    const { code, access, refresh, tenant } = await newTokens();
    const { body } = await refreshing(tenant, refresh);
    const record = await getItem(keys.secret(secretHash(access)));
    const family = await getItem(keys.family(record?.familyId as string));
    const stored = JSON.stringify([record, family, await getItem(keys.secret(secretHash(code)))]);
    for (const secret of [code, access, refresh, body.access_token, body.refresh_token]) {
      expect(stored).not.toContain(secret.slice(4));
    }
  });
});

describe('an application', () => {
  const unknownGrant = { grant_type: 'refresh_token', refresh_token: 'vrt_unknown' };
  const ask = (fields: Record<string, string>, headers = {}) =>
    call('oauth.token', tokenCall({ ...unknownGrant, ...fields }, headers));

  test('proves itself by Basic, by the body, or being public by its id', async () => {
    const tenant = await newTenant();
    const open = await newTenant({ public: true });
    const { applicationId: id, clientSecret: secret } = tenant;
    for (const answer of [
      await ask({}, basic(id, secret)),
      await ask({ client_id: id }, basic(id, secret)),
      await ask({ client_id: id, client_secret: secret }),
      await ask({ client_id: open.applicationId }),
      await ask({ client_id: open.applicationId, client_secret: open.clientSecret }),
    ]) {
      expect(outcome(answer)).toEqual(refused);
    }
  });

  test('that does not prove itself gets 401 and is asked for Basic', async () => {
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
      await ask({}, basic(id, 'wrong')),
      await ask({}, basic('', secret)),
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

  test('that proves itself in two ways is refused', async () => {
    const { applicationId: id, clientSecret: secret } = await newTenant();
    for (const fields of [{ client_id: id, client_secret: secret }, { client_id: 'app_other' }]) {
      expect(outcome(await ask(fields as never, basic(id, secret)))).toEqual([400, 'invalid_request']);
    }
  });

  test('form-encodes id and secret before they are joined', async () => {
    const { applicationId: id, clientSecret: secret } = await newTenant();
    const encoded = [...id].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    const authorization = `basic ${Buffer.from(`${encoded}:${secret.replace('_', '%5F')}`).toString('base64')}`;
    expect(outcome(await ask({}, { authorization }))).toEqual(refused);
  });
});

describe('a token request', () => {
  test('of another grant, or without what its grant needs, is refused', async () => {
    const tenant = await newTenant();
    for (const grant_type of ['password', 'client_credentials', 'implicit', 'Authorization_Code']) {
      expect(outcome(await askTokens(tenant, { grant_type }))).toEqual([400, 'unsupported_grant_type']);
    }
    for (const fields of [
      {},
      { grant_type: '' },
      { grant_type: 'authorization_code' },
      { grant_type: 'refresh_token' },
    ]) {
      expect(outcome(await askTokens(tenant, fields as never))).toEqual([400, 'invalid_request']);
    }
  });

  test('with a repeated parameter, as JSON, or without a body is refused', async () => {
    const { tenant, redemption } = await newGrant();
    const fields = { ...redemption, ...posted(tenant) };
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
      expect(outcome(await askTokens(tenant, code))).toEqual(refused);
      expect(outcome(await refreshing(tenant, secret))).toEqual(refused);
    },
  );

  test('takes no code for a refresh token, nor any other kind for another', async () => {
    const { tenant, code, access, refresh } = await newTokens();
    for (const secret of [code, access, tenant.clientSecret]) {
      expect(outcome(await refreshing(tenant, secret))).toEqual(refused);
    }
    const more = { grant_type: 'authorization_code', code_verifier: newPkce().verifier };
    expect(outcome(await askTokens(tenant, { ...more, code: refresh }))).toEqual(refused);
  });

  test('is one of so many a second from one address', async () => {
    process.env.APPLICATION_REQUESTS_PER_SECOND = '3';
    try {
      const tenant = await newTenant();
      const sourceIp = freshAddress();
      const request = { ...tokenCall({ token: 'x', ...posted(tenant) }), sourceIp };
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

  test('of a refresh token ends all that came of the consent', async () => {
    const { tenant, access, refresh } = await newTokens();
    const { body } = await refreshing(tenant, refresh);
    expect(await isGood(body.access_token)).toBe(true);
    const answer = await revoke({
      token: body.refresh_token,
      token_type_hint: 'access_token',
      ...posted(tenant),
    });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    pass(29_000);
    for (const token of [access, body.access_token]) expect(await isGood(token)).toBe(false);
    expect(outcome(await refreshing(tenant, body.refresh_token))).toEqual(refused);
    expect((await revoke({ token: body.refresh_token, ...posted(tenant) })).status).toBe(200);
  });

  test('of an access token ends that one', async () => {
    const { tenant, access, refresh } = await newTokens();
    expect((await revoke({ token: access, ...posted(tenant) })).status).toBe(200);
    expect(await isGood(access)).toBe(false);
    expect((await refreshing(tenant, refresh)).status).toBe(200);
  });

  test('of a token that is unknown, or of another application, is answered the same and does nothing', async () => {
    const { access, refresh } = await newTokens();
    const other = await newTenant();
    for (const token of ['unknown', 'vat_AAAAAAAAAAAAAAAAAAAAAA', access, refresh]) {
      const answer = await revoke({ token, ...posted(other) });
      expect([answer.status, answer.body]).toEqual([200, {}]);
    }
    expect([await isStored(access), await isStored(refresh)]).toEqual([true, true]);
  });

  test('needs the application, and a token', async () => {
    const tenant = await newTenant();
    expect(outcome(await revoke({ token: 'x', client_id: tenant.applicationId }))).toEqual([
      401,
      'invalid_client',
    ]);
    expect(outcome(await revoke(posted(tenant)))).toEqual([400, 'invalid_request']);
  });
});

test('the tokens of one user are not those of another, though the application is the same', async () => {
  const { user, access } = await newTokens();
  const somebody = await newUser();
  const record = await findSecret('access_token', access, Date.now());
  expect(record?.userId).toBe(user.userId);
  expect(record?.userId).not.toBe(somebody.userId);
});
