import { memoryStore } from '../../../../../lib/client/vault.ts';
import { call } from '../../../../support/call.ts';
import { keyStore, type Sent, vault, verifiedPerson } from '../../../../system/lib/client/vault/service.ts';

const refused = { status: 403, body: { error: 'Device not verified', details: { requiresMfa: true } } };

test.each([
  ['a key', keyStore],
  ['a token', memoryStore],
])(
  'who knows the user, the device id and the master password of a device with %s reads nothing',
  async (_n, store) => {
    const victim = await verifiedPerson(store());
    await victim.client.writeVault(vault, victim);
    await victim.client.readVault(victim);
    const headers = { 'x-device-id': await victim.client.deviceId(), 'x-auth-hash': victim.authHash };
    const query = { userId: victim.userId };
    expect(await call('vault.read', { headers, query })).toMatchObject(refused);
    const body = Object.assign({ userId: victim.userId, version: 1 }, vault);
    expect(await call('vault.write', { headers, body })).toMatchObject(refused);
    // With the client of another browser, which copies the UUID.
    const copied = store();
    const uuid = await victim.store.get('device');
    await copied.update('device', () => uuid);
    const thief = victim.another({ store: copied });
    await expect(thief.readVault(victim)).rejects.toMatchObject({ code: 'device_not_verified' });
    expect(await thief.checkDevice()).toMatchObject({ verified: false });
    expect(await victim.client.readVault(victim)).toMatchObject(vault);
  },
);

test('a recorded request opens nothing: again, for another method, body or user', async () => {
  const victim = await verifiedPerson();
  victim.service.taken();
  await victim.client.writeVault(vault, victim);
  await victim.client.readVault(victim);
  const [write, read] = victim.service.taken() as [Sent, Sent];
  const query = { userId: victim.userId };
  const replays = [
    call('vault.read', { headers: read.headers, query }),
    call('vault.read', { headers: write.headers, query }),
    call('vault.write', { headers: write.headers, body: write.body }),
    call('vault.write', { headers: write.headers, body: write.body?.replace(vault.iv, 'AAAAAAAAAAAAAAAA') }),
    call('vault.write', { headers: read.headers, body: write.body }),
    call('vault.read', { headers: read.headers, query: { userId: 'user-somebody-else' } }),
  ];
  for (const { status } of await Promise.all(replays)) expect(status).toBe(403);
  expect(await victim.client.readVault(victim)).toMatchObject({ version: 1 });
});

test('the key of a device of their own does not open the vault of another user', async () => {
  const victim = await verifiedPerson();
  await victim.client.writeVault(vault, victim);
  const attacker = await verifiedPerson();
  attacker.service.taken();
  await attacker.client.readVault(attacker).catch(() => undefined);
  const [own] = attacker.service.taken() as [Sent];
  const headers = Object.assign({}, own.headers, {
    'x-device-id': await victim.client.deviceId(),
    'x-auth-hash': victim.authHash,
  });
  expect((await call('vault.read', { headers, query: { userId: victim.userId } })).status).toBe(403);
});
