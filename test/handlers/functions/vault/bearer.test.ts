import * as keys from '../../../../functions/shared/contract/keys.ts';
import { bearer, call, newSecret, newTenant, updateItem } from '../../../support/call.ts';
import { newAccount, trustedAccount, vaultPayload } from '../../../support/devices/accounts.ts';
import { bodyCredentials, newTokens, tokenCall } from '../../../support/samples/oauth.ts';
import { asOperator } from '../../../support/samples/operator.ts';

/** An account with a trusted device, and a token for its vault. */
async function tokenAccount(scopes: string[] = ['vault']) {
  const account = await trustedAccount();
  const { userId } = account;
  // Tokens are granted by users whom an operator entered.
  await updateItem(keys.user(userId), {
    UpdateExpression: 'SET #status = :active',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':active': 'active' },
  });
  const { applicationId } = await newTenant();
  const expiresAtMs = Date.now() + 3_600_000;
  const { secret } = await newSecret('access_token', { applicationId, userId, scopes, expiresAtMs });
  const headers = { ...bearer(secret), 'x-device-id': account.deviceId };
  return { account, token: secret, headers };
}

const wrongSession = [401, 'Invalid authHash or expired session'];
const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.error];
const write = (headers: Record<string, string>, body: object = {}) =>
  call('vault.write', { headers, body: { ...vaultPayload, ...body } });

test('a token granted with the scope vault opens the vault of its user until it is revoked', async () => {
  const { tenant, access, user: owner } = await newTokens({ scope: 'vault' });
  const device = await trustedAccount(newAccount(owner));
  await device.writeVault();
  const headers = { ...bearer(access), 'x-device-id': device.deviceId };
  expect((await call('vault.read', { headers })).body).toMatchObject({ ...vaultPayload, version: 1 });
  const written = await write(headers, { version: 1, data_blob: 'AAAA' });
  expect([written.status, written.body.version]).toEqual([200, 2]);
  expect((await device.readVault()).body.data_blob).toBe('AAAA');
  expect(outcome(await write(headers, { version: 1 }))).toEqual([409, 'Vault conflict']);
  await call('oauth.revoke', tokenCall({ token: access, ...bodyCredentials(tenant) }));
  vi.setSystemTime(Date.now() + 29_000);
  expect(outcome(await call('vault.read', { headers }))).toEqual(wrongSession);
});

describe('with a token', () => {
  test("a userId is accepted when it is the token's", async () => {
    const { account, headers } = await tokenAccount();
    await account.writeVault();
    const { userId } = account;
    expect((await call('vault.read', { headers, query: { userId } })).status).toBe(200);
    for (const response of [
      await call('vault.read', { headers, query: { userId: 'user-other' } }),
      await write(headers, { userId: 'user-other' }),
    ]) {
      expect([response.status, response.body]).toEqual([
        400,
        { error: 'Invalid request data', details: { userId: 'is not the user of the token' } },
      ]);
    }
  });

  test('a missing or untrusted device gets 403 before the token is checked', async () => {
    const { account, token } = await tokenAccount();
    await account.writeVault();
    for (const [bearing, device] of [
      [token, {}],
      [token, { 'x-device-id': 'client-other' }],
      ['vat_unknown', { 'x-device-id': '' }],
    ] as const) {
      const response = await call('vault.read', { headers: { ...bearer(bearing), ...device } });
      expect(outcome(response)).toEqual([403, 'Device not verified']);
      expect(response.body.details.requiresMfa).toBe(true);
    }
  });

  test('an unknown or expired token, or one of another kind or scope, gets 401', async () => {
    const { account, headers } = await tokenAccount();
    await account.writeVault();
    const { userId } = account;
    const scopes = ['vault'];
    const kinds = await Promise.all([
      newSecret('access_token', { userId }),
      newSecret('access_token', { userId, scopes, expiresAtMs: Date.now() }),
      newSecret('refresh_token', { userId, scopes }),
      newSecret('authorization_code', { userId, scopes }),
      newSecret('client_secret', { userId, scopes }),
    ]);
    for (const secret of ['x', `vat_${'A'.repeat(22)}`, ...kinds.map((one) => one.secret)]) {
      const response = await call('vault.read', {
        headers: { ...headers, ...bearer(secret) },
        query: { userId },
      });
      expect(outcome(response)).toEqual(wrongSession);
    }
  });

  test('a token without the scope vault gets 401 where one with it opens the vault', async () => {
    const statusOf = async ({ account, headers }: Awaited<ReturnType<typeof tokenAccount>>) => {
      await account.writeVault();
      return (await call('vault.read', { headers })).status;
    };
    expect(await statusOf(await tokenAccount())).toBe(200);
    expect(await statusOf(await tokenAccount(['profile', 'trust_links:write']))).toBe(401);
  });

  test('a proof sent with the token is checked', async () => {
    const { account, headers } = await tokenAccount();
    await account.writeVault();
    const both = { ...headers, ...account.proof };
    expect((await call('vault.read', { headers: both })).status).toBe(200);
    const wrong = { ...both, 'x-auth-hash': 'f'.repeat(64) };
    expect(outcome(await call('vault.read', { headers: wrong }))).toEqual(wrongSession);
  });
});

describe('the proof and tokens', () => {
  test('a new vault requires a proof, even with a token', async () => {
    const { account, headers } = await tokenAccount();
    const refused = await write(headers);
    expect([refused.status, Object.keys(refused.body.details)]).toEqual([400, ['new_auth_hash']]);
    expect((await write(headers, { new_auth_hash: account.authHash })).status).toBe(200);
    expect((await account.readVault()).status).toBe(200);
  });

  test('a token alone cannot replace a proof, so that it cannot lock its user out', async () => {
    const { account, headers } = await tokenAccount();
    await account.writeVault();
    const refused = await write(headers, { version: 1, new_auth_hash: 'f'.repeat(64) });
    expect([refused.status, Object.keys(refused.body.details)]).toEqual([400, ['new_auth_hash']]);
    expect((await account.readVault()).body.version).toBe(1);
    const both = { ...headers, ...account.proof };
    expect((await write(both, { version: 1, new_auth_hash: 'f'.repeat(64) })).status).toBe(200);
    expect((await account.with({ authHash: 'f'.repeat(64) }).readVault()).status).toBe(200);
  });
});

describe('a token stops opening the vault at the next call', () => {
  test('when an operator ends the proof, so that the vault counts as absent', async () => {
    const { account, headers } = await tokenAccount();
    await account.writeVault();
    const params = { userId: account.userId };
    const reset = await call('users.reset', await asOperator({ params, body: { proof: true } }));
    expect(reset.status).toBe(200);
    expect((await call('vault.read', { headers })).status).toBe(404);
    expect(outcome(await write(headers, { version: 1 }))).toEqual([409, 'Vault conflict']);
  });

  test('when its user is suspended', async () => {
    const { account, headers } = await tokenAccount();
    await account.writeVault();
    expect((await call('vault.read', { headers })).status).toBe(200);
    await updateItem(keys.user(account.userId), {
      UpdateExpression: 'SET #status = :suspended',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':suspended': 'suspended' },
    });
    expect(outcome(await call('vault.read', { headers }))).toEqual(wrongSession);
    expect(outcome(await account.readVault())).toEqual(wrongSession);
  });

  test('when the security stamp of its user is replaced', async () => {
    const { account, headers } = await tokenAccount();
    await account.writeVault();
    await updateItem(keys.user(account.userId), {
      UpdateExpression: 'SET securityStamp = :stamp',
      ExpressionAttributeValues: { ':stamp': 'other' },
    });
    expect(outcome(await call('vault.read', { headers }))).toEqual([403, 'Device not verified']);
  });
});
