import { describe, expect, test } from 'vitest';
import { call, freshAddress } from '../../../support/call.ts';
import { invalidGrant, outcome } from '../../../support/oauth/tokens.ts';
import { form, formType } from '../../../support/samples/forms.ts';
import {
  bodyCredentials,
  newGrant,
  newPkce,
  newTokens,
  requestRefresh,
  requestTokens,
  tokenCall,
} from '../../../support/samples/oauth.ts';
import { newTenant } from '../../../support/tenants.ts';

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

  test.each(['vac_', 'vac_unknown', 'x'.repeat(5_000), '__proto__'])(
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
