import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { call } from '../../../support/call.ts';
import { invalidGrant, isAccepted, isStored, outcome } from '../../../support/oauth/tokens.ts';
import { bodyCredentials, newTokens, requestRefresh, tokenCall } from '../../../support/samples/oauth.ts';
import { newTenant } from '../../../support/tenants.ts';

beforeEach(() => {
  vi.setSystemTime(Date.now());
});
afterEach(() => vi.useRealTimers());

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('revocation', () => {
  const revoke = (fields: Record<string, string>) => call('oauth.revoke', tokenCall(fields));

  test('of a refresh token revokes all tokens of the consent', async () => {
    const { tenant, access, refresh } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    expect(await isAccepted(body.access_token)).toBe(true);
    const response = await revoke({
      token: body.refresh_token,
      token_type_hint: 'access_token',
      ...bodyCredentials(tenant),
    });
    expect([response.status, response.body]).toEqual([200, {}]);
    advance(29_000);
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
      const response = await revoke({ token, ...bodyCredentials(other) });
      expect([response.status, response.body]).toEqual([200, {}]);
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
