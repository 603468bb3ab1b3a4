/** What release 0.1.0 stored under one key prefix for all secrets, and under the random ids of token families. */
import { describe, expect, test } from 'vitest';
import { getApplication } from '../../../../functions/shared/accounts/applications.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { loseAnswersTo } from '../../../support/between.ts';
import { call } from '../../../support/call.ts';
import { advance, invalidToken, onStoppedClock, readLinks } from '../../../support/oauth/access.ts';
import { storeAsFormer, storeGrantAsFormer } from '../../../support/oauth/former.ts';
import { invalidGrant, isStored, outcome } from '../../../support/oauth/tokens.ts';
import {
  bodyCredentials,
  newGrant,
  newTokens,
  requestRefresh,
  requestTokens,
  tokenCall,
} from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { bearer, newOperatorKey, newTenant } from '../../../support/tenants.ts';

onStoppedClock();

async function newFormerTokens() {
  const issued = await newTokens();
  return { ...issued, familyId: await storeGrantAsFormer(issued) };
}

const grantsOf = async (userId: string): Promise<{ id: string }[]> =>
  (await call('operator.grant-list', await asOperator({ params: { userId } }))).body.grants;

describe('keys of release 0.1.0', () => {
  test('work until they are revoked', async () => {
    const tenant = await newTenant();
    const { applicationId: id, clientSecret, apiKey } = tenant;
    const operatorKey = await newOperatorKey();
    await storeAsFormer('client_secret', clientSecret);
    await storeAsFormer('api_key', apiKey);
    await storeAsFormer('operator_key', operatorKey);
    const links = () => call('links.list', { headers: { ...bearer(clientSecret), 'x-user-id': 'ann' } });
    const plans = () => call('subscriptions.plan-list', { headers: bearer(apiKey) });
    expect([(await links()).status, (await plans()).status]).toEqual([200, 200]);
    for (const keyId of Object.keys((await getApplication(id))?.keys ?? {})) {
      const request = { params: { id, keyId }, headers: bearer(operatorKey) };
      expect((await call('operator.key-revoke', request)).status).toBe(200);
    }
    for (const secret of [clientSecret, apiKey])
      expect(await getItem(keys.formerSecret(secretHash(secret)))).toBeUndefined();
    advance(30_000);
    expect([(await links()).status, (await plans()).status]).toEqual([401, 401]);
  });

  test('are not taken for keys of another kind', async () => {
    const { apiKey } = await newTenant();
    await storeAsFormer('api_key', apiKey, { kind: 'operator_key' });
    expect(outcome(await call('subscriptions.plan-list', { headers: bearer(apiKey) }))).toEqual(invalidToken);
  });
});

describe('a code of release 0.1.0', () => {
  test('is redeemed once of ten times at once, and its tokens are revoked', async () => {
    const { tenant, redemption, code } = await newGrant();
    const before = await storeAsFormer('authorization_code', code);
    const responses = await Promise.all(Array.from({ length: 10 }, () => requestTokens(tenant, redemption)));
    const good = responses.filter(({ status }) => status === 200);
    expect(good).toHaveLength(1);
    expect(await isStored(good[0]?.body.access_token)).toBe(false);
    expect(outcome(await requestRefresh(tenant, good[0]?.body.refresh_token))).toEqual(invalidGrant);
    expect(await getItem(keys.formerSecret(secretHash(code)))).toEqual(before);
  });

  test('that was used revokes the tokens that it yielded', async () => {
    const { tenant, redemption, access, refresh } = await newFormerTokens();
    expect(outcome(await requestTokens(tenant, redemption))).toEqual(invalidGrant);
    expect(outcome(await readLinks(access))).toEqual(invalidToken);
    expect(outcome(await requestRefresh(tenant, refresh))).toEqual(invalidGrant);
  });
});

describe('tokens of release 0.1.0', () => {
  test('work, and their grant moves to its user when the refresh token is used', async () => {
    const { tenant, user, access, refresh } = await newFormerTokens();
    expect((await readLinks(access)).status).toBe(200);
    expect(await grantsOf(user.userId)).toEqual([]);
    const { body } = await requestRefresh(tenant, refresh);
    expect((await readLinks(body.access_token)).status).toBe(200);
    expect(await grantsOf(user.userId)).toEqual([
      expect.objectContaining({ id: expect.stringMatching(/^gnt_/) }),
    ]);
    const next = await requestRefresh(tenant, body.refresh_token);
    expect(next.status).toBe(200);
    expect(await grantsOf(user.userId)).toHaveLength(1);
  });

  test('are the same again when the response to the move was lost', async () => {
    const { tenant, user, refresh } = await newFormerTokens();
    const lossy = loseAnswersTo('TransactWriteItemsCommand', 3);
    const { status, body } = await requestRefresh(tenant, refresh).finally(lossy.restore);
    expect([status, lossy.sent()]).toEqual([200, 3]);
    expect((await requestRefresh(tenant, body.refresh_token)).status).toBe(200);
    expect(await grantsOf(user.userId)).toHaveLength(1);
  });

  test('are all revoked when a refresh token is replayed after the move', async () => {
    const { tenant, access, refresh } = await newFormerTokens();
    const { body } = await requestRefresh(tenant, refresh);
    expect((await readLinks(access)).status).toBe(200);
    advance(11_000);
    expect(outcome(await requestRefresh(tenant, refresh))).toEqual(invalidGrant);
    expect(outcome(await requestRefresh(tenant, body.refresh_token))).toEqual(invalidGrant);
    advance(29_000);
    for (const token of [access, body.access_token])
      expect(outcome(await readLinks(token))).toEqual(invalidToken);
  });

  test('are revoked by their application', async () => {
    const one = await newFormerTokens();
    const revoking = (token: string) =>
      call('oauth.revoke', tokenCall({ token, ...bodyCredentials(one.tenant) }));
    const { body } = await requestRefresh(one.tenant, one.refresh);
    expect((await revoking(one.access)).status).toBe(200);
    expect(outcome(await readLinks(one.access))).toEqual(invalidToken);
    expect((await readLinks(body.access_token)).status).toBe(200);
    expect((await revoking(one.refresh)).status).toBe(200);
    advance(30_000);
    expect(outcome(await readLinks(body.access_token))).toEqual(invalidToken);
    const unmoved = await newFormerTokens();
    const request = tokenCall({ token: unmoved.refresh, ...bodyCredentials(unmoved.tenant) });
    expect((await call('oauth.revoke', request)).status).toBe(200);
    expect(outcome(await readLinks(unmoved.access))).toEqual(invalidToken);
    expect(outcome(await requestRefresh(unmoved.tenant, unmoved.refresh))).toEqual(invalidGrant);
  });
});
