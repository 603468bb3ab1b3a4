import { type DeviceStore, memoryStore } from '../../../../../lib/client/vault.ts';
import { freshAddress } from '../../../../support/call.ts';
import { codeSentTo } from '../../../../support/mail/mailbox.ts';
import {
  type Person,
  person,
  type Sent,
  vault,
  verifiedPerson,
} from '../../../../system/lib/client/vault/service.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const isVerify = ({ path }: Sent) => path === '/api/auth/mfa/verify';
const keyIn = ({ headers }: Sent) => {
  const [header = ''] = (headers.dpop ?? '').split('.');
  return JSON.parse(Buffer.from(header, 'base64url').toString() || '{}').jwk?.x;
};

/** Checks the device and has a code mailed. */
async function withCode({ client, email, service }: Person): Promise<string> {
  service.sourceIp = freshAddress();
  await client.sendCode(email);
  return codeSentTo(email);
}

/** Sends a verification, whose answer is lost and after which the network is gone for a while. */
async function verifyAndLoseNetwork({ client, email, service }: Person, code: string): Promise<void> {
  let down = false;
  service.fault = (sent) => {
    if (down) return 'request lost';
    down = isVerify(sent);
    return down ? 'answer lost' : undefined;
  };
  await expect(client.verifyDevice(email, code)).rejects.toMatchObject({ code: 'unreachable' });
  service.fault = () => undefined;
}

describe('a verification', () => {
  test('whose answer is lost succeeds all the same: the service knows the key', async () => {
    const user = person();
    const code = await withCode(user);
    user.service.fault = (sent) => (isVerify(sent) ? 'answer lost' : undefined);
    await user.client.verifyDevice(user.email, code);
    await user.client.writeVault(vault, user);
    const [read] = user.service.taken('/api/vault');
    expect([read?.status, keyIn(read as Sent)]).toEqual([200, expect.any(String)]);
  });

  test('that was cut off leaves a device that works, without another code', async () => {
    const user = person();
    const code = await withCode(user);
    await verifyAndLoseNetwork(user, code);
    // As after a reload of the page: another client on the same store.
    const reloaded = user.another();
    user.service.taken();
    expect(await reloaded.writeVault(vault, user)).toMatchObject({ version: 1 });
    expect(user.service.taken().map(({ status }) => status)).toEqual([403, 200]);
    // The pending key is now the only one.
    await reloaded.readVault(user);
    expect(user.service.taken().map(({ status }) => status)).toEqual([200]);
  });

  test('where keys cannot be stored falls back to a token', async () => {
    const { get, update } = memoryStore();
    const refusesKeys: DeviceStore = {
      keepsKeys: true,
      get,
      update: (name, change) =>
        update(name, (stored) => {
          const value = change(stored);
          if (typeof value === 'object' && value !== null && 'pending' in value)
            throw new DOMException('The object could not be cloned.', 'DataCloneError');
          return value;
        }),
    };
    const user = await verifiedPerson(refusesKeys);
    user.service.taken();
    await user.client.writeVault(vault, user);
    const [write] = user.service.taken();
    expect(write?.headers['x-device-token']).toMatch(/^vdt_[\w-]{22}$/);
  });
});

describe('two tabs', () => {
  test('that verify at the same time end with one key that the service knows', async () => {
    const user = person();
    const code = await withCode(user);
    const other = user.another();
    await Promise.all([user.client.verifyDevice(user.email, code), other.verifyDevice(user.email, code)]);
    user.service.taken();
    await user.client.writeVault(vault, user);
    await other.readVault(user);
    const [write, read] = user.service.taken() as [Sent, Sent];
    expect([write.status, read.status, keyIn(read)]).toEqual([200, 200, keyIn(write)]);
  });

  test('of which one verifies again do not lock the other out in the middle of a request', async () => {
    const user = await verifiedPerson();
    await user.client.writeVault(vault, user);
    const other = user.another();
    let raced = false;
    user.service.before = async ({ path }) => {
      if (path !== '/api/vault' || raced) return;
      raced = true;
      // Between the making of the proof and its arrival, the device is removed and verified with a new key.
      await user.client.removeDevice(await user.client.deviceId());
      await user.verify();
    };
    expect(await other.readVault(user)).toMatchObject(vault);
  });
});
