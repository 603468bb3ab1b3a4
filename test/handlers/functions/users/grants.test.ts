import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { call, newOperatorKey, newUser } from '../../../support/call.ts';
import { advance, onStoppedClock, readLinks } from '../../../support/oauth/access.ts';
import { invalidGrant, isStored, outcome } from '../../../support/oauth/tokens.ts';
import { newTokens, requestRefresh } from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';

onStoppedClock();

let operatorKey: string;
beforeEach(async () => {
  operatorKey = await newOperatorKey();
});

const list = async (userId: string, query: Record<string, string> = {}) =>
  call('users.grant-list', await asOperator({ params: { userId }, query }, operatorKey));
const revoke = async (userId: string, id: string) =>
  call('users.grant-revoke', await asOperator({ params: { userId, id } }, operatorKey));
const idsOf = async (userId: string): Promise<string[]> =>
  (await list(userId)).body.grants.map(({ id }: { id: string }) => id);
const onlyIdOf = async (userId: string): Promise<string> => (await idsOf(userId))[0] ?? '';

test('the grants of a user name the application, the scopes, and when tokens were issued first and last', async () => {
  const { tenant, user, refresh } = await newTokens({ scope: 'vault profile' });
  const createdAt = new Date().toISOString();
  const grant = {
    id: expect.stringMatching(/^gnt_/),
    applicationId: tenant.applicationId,
    applicationName: 'Example App',
    scopes: ['profile', 'vault'],
    createdAt,
  };
  expect((await list(user.userId)).body).toEqual({ grants: [{ ...grant, lastUsedAt: createdAt }] });
  advance(60_000);
  expect((await requestRefresh(tenant, refresh)).status).toBe(200);
  const lastUsedAt = new Date().toISOString();
  expect((await list(user.userId)).body).toEqual({ grants: [{ ...grant, lastUsedAt }] });
});

describe('a revoked grant', () => {
  test('yields no tokens, and its access tokens stop working within 30 seconds', async () => {
    const { tenant, user, access, refresh } = await newTokens();
    const { body } = await requestRefresh(tenant, refresh);
    expect((await readLinks(access)).status).toBe(200);
    const revoked = await revoke(user.userId, await onlyIdOf(user.userId));
    expect([revoked.status, revoked.body]).toEqual([200, { success: true }]);
    for (const token of [refresh, body.refresh_token])
      expect(outcome(await requestRefresh(tenant, token))).toEqual(invalidGrant);
    expect(outcome(await readLinks(body.access_token))).toEqual([401, 'invalid_token']);
    advance(29_000);
    expect(outcome(await readLinks(access))).toEqual([401, 'invalid_token']);
    for (const token of [access, body.access_token, body.refresh_token])
      expect(await isStored(token)).toBe(false);
  });

  test('of another user, an unknown one, or a text of another form is a 404, and stays', async () => {
    const { tenant, user, refresh } = await newTokens();
    const id = await onlyIdOf(user.userId);
    const other = await newUser();
    for (const [userId, grantId] of [
      [other.userId, id],
      ['nobody', id],
      [user.userId, newId('gnt', Date.now())],
      [user.userId, tenant.applicationId],
    ] as const) {
      expect(outcome(await revoke(userId, grantId)), grantId).toEqual([404, 'not_found']);
    }
    expect((await requestRefresh(tenant, refresh)).status).toBe(200);
  });
});
