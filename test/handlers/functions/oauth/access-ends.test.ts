/** Attacks with what a user granted, after their access or the application's has ended. */

import { getApplication } from '../../../../functions/shared/accounts/applications.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { bearer, call, deleteItem, newOperatorKey, newSecret, newTenant } from '../../../support/call.ts';
import { onceAnswered } from '../../../support/interruptions/between.ts';
import { advance, invalidToken, onStoppedClock, readLinks } from '../../../support/oauth/access.ts';
import * as tokens from '../../../support/oauth/tokens.ts';
import { goodLink } from '../../../support/samples/links.ts';
import * as oauth from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';

onStoppedClock();

const keyIdsOf = async (id: string) => Object.keys((await getApplication(id))?.keys ?? {});

async function revokeKeys(id: string, operatorKey?: string): Promise<void> {
  for (const keyId of await keyIdsOf(id)) {
    const request = await asOperator({ params: { id, keyId } }, operatorKey);
    const revoked = await call('applications.key-revoke', request);
    expect([revoked.status, revoked.body]).toEqual([200, { success: true }]);
  }
}

/** Another client secret of an application. */
async function createSecret(id: string): Promise<string> {
  const request = await asOperator({ params: { id }, body: { kind: 'client_secret' } });
  return (await call('applications.key-create', request)).body.secret;
}

describe('an access token', () => {
  test.each([
    ['is suspended', tokens.suspendUser],
    ['has another security stamp', tokens.replaceStamp],
    ['has no profile any more', (userId: string) => deleteItem(keys.user(userId))],
  ])('is refused at the next call once the user %s, although it is cached', async (_, end) => {
    const { access, user } = await oauth.newTokens();
    expect((await readLinks(access)).status).toBe(200);
    await end(user.userId);
    const { status, body, headers } = await readLinks(access);
    expect([status, body.error]).toEqual(invalidToken);
    expect(headers['www-authenticate']).toContain('invalid_token');
  });

  test('of a suspended user removes and submits no link', async () => {
    const { access, user, tenant } = await oauth.newTokens();
    const headers = bearer(access);
    const submitted = await call('links.submit', { headers, body: { links: [goodLink] } });
    const id: string = submitted.body.trustLinks[0]._id;
    await tokens.suspendUser(user.userId);
    for (const [route, request] of [
      ['links.remove', { params: { id } }],
      ['links.update', { params: { id }, body: { title: 'Mine' } }],
      ['links.submit', { body: { links: [goodLink] } }],
    ] as const) {
      expect(tokens.outcome(await call(route, { ...request, headers })), route).toEqual(invalidToken);
    }
    expect(await getItem(keys.link(tenant.applicationId, user.userId, id))).toMatchObject({ revision: 1 });
  });
});

describe('a new security stamp', () => {
  test('ends the session of the consent page and the code that it yielded', async () => {
    const { browser, query, tenant, user, redemption } = await oauth.newGrant();
    await browser.open(query);
    await tokens.replaceStamp(user.userId);
    const { headers } = await browser.send('allow');
    expect(headers.location).toContain('notice=expired');
    expect(tokens.outcome(await oauth.requestTokens(tenant, redemption))).toEqual(tokens.invalidGrant);
  });

  test('ends the refresh token', async () => {
    const { tenant, user, refresh } = await oauth.newTokens();
    await tokens.replaceStamp(user.userId);
    expect(tokens.outcome(await oauth.requestRefresh(tenant, refresh))).toEqual(tokens.invalidGrant);
  });
});

describe('the revocation of the last key of an application', () => {
  test('ends its access tokens within 30 seconds, cached or not, and a new key does not restore them', async () => {
    const cached = await oauth.newTokens();
    const unknown = await oauth.newTokens();
    expect((await readLinks(cached.access)).status).toBe(200);
    for (const { tenant } of [cached, unknown]) await revokeKeys(tenant.applicationId);
    expect(tokens.outcome(await readLinks(unknown.access))).toEqual(invalidToken);
    advance(20_000);
    expect(tokens.outcome(await readLinks(cached.access))).toEqual(invalidToken);
    for (const { tenant, access } of [cached, unknown]) {
      await createSecret(tenant.applicationId);
      expect(tokens.outcome(await readLinks(access))).toEqual(invalidToken);
    }
  });

  test('ends its codes and refresh tokens at once, also with the key that is created next', async () => {
    const { tenant, refresh } = await oauth.newTokens();
    const pending = await oauth.newGrant({}, {}, { tenant });
    await revokeKeys(tenant.applicationId);
    advance(1_000);
    const clientSecret = await createSecret(tenant.applicationId);
    const restored = { ...tenant, clientSecret };
    expect(tokens.outcome(await oauth.requestRefresh(restored, refresh))).toEqual(tokens.invalidGrant);
    expect(tokens.outcome(await oauth.requestTokens(restored, pending.redemption))).toEqual(
      tokens.invalidGrant,
    );
    advance(1_000);
    const again = await oauth.newTokens({}, {}, { tenant: restored });
    expect((await readLinks(again.access)).status).toBe(200);
    expect((await oauth.requestRefresh(restored, again.refresh)).status).toBe(200);
  });

  test('refuses a revoked secret at the token endpoint at once, although it is cached', async () => {
    const { tenant, refresh } = await oauth.newTokens();
    const { keys: stored = {} } = (await getApplication(tenant.applicationId)) ?? {};
    const [keyId = ''] = Object.keys(stored).filter((id) => stored[id]?.kind === 'client_secret');
    await createSecret(tenant.applicationId);
    await call('applications.key-revoke', await asOperator({ params: { id: tenant.applicationId, keyId } }));
    expect(tokens.outcome(await oauth.requestRefresh(tenant, refresh))).toEqual([401, 'invalid_client']);
    const revoking = oauth.tokenCall({ token: refresh, ...oauth.bodyCredentials(tenant) });
    expect(tokens.outcome(await call('oauth.revoke', revoking))).toEqual([401, 'invalid_client']);
  });

  test('ends tokens that are issued while it is written', async () => {
    const { tenant, refresh } = await oauth.newTokens();
    const { applicationId } = tenant;
    const operatorKey = await newOperatorKey();
    const revoking = onceAnswered(
      ({ pk }) => pk === keys.application(applicationId).pk,
      async () => {
        await revokeKeys(applicationId, operatorKey);
        advance(2_000);
      },
    );
    const { status, body } = await oauth.requestRefresh(tenant, refresh).finally(revoking.restore);
    expect(status, 'the application was read before').toBe(200);
    expect(tokens.outcome(await readLinks(body.access_token))).toEqual(invalidToken);
    const clientSecret = await createSecret(applicationId);
    expect(tokens.outcome(await readLinks(body.access_token))).toEqual(invalidToken);
    const next = await oauth.requestRefresh({ ...tenant, clientSecret }, body.refresh_token);
    expect(tokens.outcome(next)).toEqual(tokens.invalidGrant);
  });
});

describe('a flood of calls with the tokens of one user', () => {
  const hitsOf = async (applicationId: string) =>
    Object.entries((await getItem(keys.rateLimit('application', applicationId))) ?? {}).filter(
      ([name, at]) => /^h\d+$/.test(name) && at !== 0,
    ).length;

  test('is refused after a tenth of the limit of the application, which serves its other callers', async () => {
    const { access, tenant, user } = await oauth.newTokens();
    const { applicationId } = tenant;
    const scopes = ['profile'];
    const second = await newSecret('access_token', { applicationId, userId: user.userId, scopes });
    const flood = await Promise.all(
      Array.from({ length: 20 }, (_, i) => readLinks(i % 2 ? access : second.secret)),
    );
    const served = flood.filter(({ status }) => status === 200).length;
    expect(served).toBe(5);
    for (const { status, body, headers } of flood) {
      if (status !== 200) expect([status, body.error]).toEqual([429, 'rate_limited']);
      if (status !== 200) expect(Number(headers['retry-after'])).toBe(1);
    }
    expect(await hitsOf(applicationId)).toBe(served);
    const headers = { ...bearer(tenant.clientSecret), 'x-user-id': 'another' };
    const others = await Promise.all(Array.from({ length: 45 }, () => call('links.list', { headers })));
    expect(others.map(({ status }) => status)).toEqual(Array(45).fill(200));
  });
});

describe('revocation', () => {
  const revoke = (fields: Record<string, string>) => call('oauth.revoke', oauth.tokenCall(fields));

  test('of a refresh token revokes all tokens of the consent', async () => {
    const { tenant, access, refresh } = await oauth.newTokens();
    const { body } = await oauth.requestRefresh(tenant, refresh);
    expect(await tokens.isAccepted(body.access_token)).toBe(true);
    const response = await revoke({
      token: body.refresh_token,
      token_type_hint: 'access_token',
      ...oauth.bodyCredentials(tenant),
    });
    expect([response.status, response.body]).toEqual([200, {}]);
    advance(29_000);
    for (const token of [access, body.access_token]) expect(await tokens.isAccepted(token)).toBe(false);
    expect(tokens.outcome(await oauth.requestRefresh(tenant, body.refresh_token))).toEqual(
      tokens.invalidGrant,
    );
    expect((await revoke({ token: body.refresh_token, ...oauth.bodyCredentials(tenant) })).status).toBe(200);
  });

  test('of an access token revokes that token alone', async () => {
    const { tenant, access, refresh } = await oauth.newTokens();
    expect((await revoke({ token: access, ...oauth.bodyCredentials(tenant) })).status).toBe(200);
    expect(await tokens.isAccepted(access)).toBe(false);
    expect((await oauth.requestRefresh(tenant, refresh)).status).toBe(200);
  });

  test('of an unknown token, or a token of another application, gets the same response and revokes nothing', async () => {
    const { access, refresh } = await oauth.newTokens();
    const other = await newTenant();
    for (const token of ['unknown', 'vat_AAAAAAAAAAAAAAAAAAAAAA', access, refresh]) {
      const response = await revoke({ token, ...oauth.bodyCredentials(other) });
      expect([response.status, response.body]).toEqual([200, {}]);
    }
    expect([await tokens.isStored(access), await tokens.isStored(refresh)]).toEqual([true, true]);
  });

  test('requires client authentication and a token', async () => {
    const tenant = await newTenant();
    expect(tokens.outcome(await revoke({ token: 'x', client_id: tenant.applicationId }))).toEqual([
      401,
      'invalid_client',
    ]);
    expect(tokens.outcome(await revoke(oauth.bodyCredentials(tenant)))).toEqual([400, 'invalid_request']);
  });
});
