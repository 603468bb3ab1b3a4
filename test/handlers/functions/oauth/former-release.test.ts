/** What release 0.1.0 stored under one key prefix for all secrets, and under the random ids of token families. */
import { describe, expect, test } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call } from '../../../support/call.ts';
import { advance, invalidToken, onStoppedClock, readLinks } from '../../../support/oauth/access.ts';
import { storeAsFormer, storeGrantAsFormer } from '../../../support/oauth/former.ts';
import { invalidGrant, isStored, outcome } from '../../../support/oauth/tokens.ts';
import { newGrant, newTokens, requestRefresh, requestTokens } from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { bearer, newTenant } from '../../../support/tenants.ts';

onStoppedClock();

async function newFormerTokens() {
  const issued = await newTokens();
  return { ...issued, familyId: await storeGrantAsFormer(issued) };
}

const grantsOf = async (userId: string): Promise<{ id: string }[]> =>
  (await call('operator.grant-list', await asOperator({ params: { userId } }))).body.grants;

describe('keys of release 0.1.0', () => {
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
});
