import { getApplication } from '../../../../functions/shared/accounts/applications.ts';
import { call, freshAddress, newTenant } from '../../../support/call.ts';
import { invalidGrant, outcome } from '../../../support/oauth/tokens.ts';
import { form, formType } from '../../../support/samples/forms.ts';
import {
  basicCredentials,
  bodyCredentials,
  newGrant,
  newPkce,
  newTokens,
  requestRefresh,
  requestTokens,
  tokenCall,
} from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';

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

  test('does not accept a secret of another kind', async () => {
    const { tenant, code, access, refresh } = await newTokens();
    for (const secret of [code, access, tenant.clientSecret]) {
      expect(outcome(await requestRefresh(tenant, secret))).toEqual(invalidGrant);
    }
    const more = { grant_type: 'authorization_code', code_verifier: newPkce().verifier };
    expect(outcome(await requestTokens(tenant, { ...more, code: refresh }))).toEqual(invalidGrant);
  });

  test('is rate-limited by client address', async () => {
    vi.stubEnv('APPLICATION_REQUESTS_PER_SECOND', '3');
    vi.setSystemTime(Date.now());
    const tenant = await newTenant();
    const sourceIp = freshAddress();
    const request = { ...tokenCall({ token: 'x', ...bodyCredentials(tenant) }), sourceIp };
    for (let i = 0; i < 3; i += 1) expect((await call('oauth.revoke', request)).status).toBe(200);
    const slow = await call('oauth.revoke', request);
    expect([...outcome(slow), slow.headers['retry-after']]).toEqual([429, 'temporarily_unavailable', '1']);
    expect((await call('oauth.revoke', { ...request, sourceIp: freshAddress() })).status).toBe(200);
    const wrong = { ...tokenCall({ token: 'x', client_id: tenant.applicationId, client_secret: 'wrong' }) };
    const from = freshAddress();
    const guesses = Array.from({ length: 8 }, () => call('oauth.revoke', { ...wrong, sourceIp: from }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
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
    for (const response of [
      await ask({}, basicCredentials(id, secret)),
      await ask({ client_id: id }, basicCredentials(id, secret)),
      await ask({ client_id: id, client_secret: secret }),
      await ask({ client_id: open.applicationId }),
      await ask({ client_id: open.applicationId, client_secret: open.clientSecret }),
    ]) {
      expect(outcome(response)).toEqual(invalidGrant);
    }
  });

  test('fails with 401 and a Basic challenge', async () => {
    const tenant = await newTenant();
    const other = await newTenant();
    const open = await newTenant({ public: true });
    const { applicationId: id, clientSecret: secret } = tenant;
    for (const response of [
      await ask({}),
      await ask({ client_id: id }),
      await ask({ client_id: 'app_unknown', client_secret: secret }),
      await ask({ client_id: id, client_secret: `${secret}x` }),
      await ask({ client_id: id, client_secret: other.clientSecret }),
      await ask({ client_id: open.applicationId, client_secret: 'wrong' }),
      await ask({}, basicCredentials(id, 'wrong')),
      await ask({}, { authorization: `Bearer ${secret}` }),
      await ask({}, { authorization: 'Basic %%%' }),
      await ask({}, { authorization: `Basic ${Buffer.from('%zz:%zz').toString('base64')}` }),
    ]) {
      expect(outcome(response)).toEqual([401, 'invalid_client']);
      expect(response.headers['www-authenticate']).toMatch(/^Basic realm="oauth"/);
      expect(response.body.error_description).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  test('refuses a public client whose keys an operator has revoked', async () => {
    const { applicationId: id } = await newTenant({ public: true });
    for (const keyId of Object.keys((await getApplication(id))?.keys ?? {}))
      await call('applications.key-revoke', await asOperator({ params: { id, keyId } }));
    expect(outcome(await ask({ client_id: id }))).toEqual([401, 'invalid_client']);
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
});
