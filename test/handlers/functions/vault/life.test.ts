import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { authHash, type DeviceStorage, deviceSignals } from '../../../../lib/client/index.ts';
import { type Answered, call, freshAddress } from '../../../support/call.ts';
import { codeSentTo, mailsTo } from '../../../support/mail/mailbox.ts';

interface User {
  userId: string;
  email: string;
  /** Provided by the sign-in of the product; not secret. */
  salt: string;
}

/** Stores values like a browser's localStorage. */
function storage(): DeviceStorage {
  const values = new Map<string, string>();
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => {
      values.set(name, value);
    },
  };
}

/** A client on one device. It holds what the server must never see. */
class Client {
  readonly user: User;
  readonly signals = deviceSignals({ storage: storage() });
  readonly sourceIp = freshAddress();
  password: string;
  deviceId = '';
  /** The version of the vault that this client last read. */
  version = 0;
  entries: string[] = [];

  constructor(user: User, password: string) {
    this.user = user;
    this.password = password;
  }

  async checkIn(): Promise<Answered> {
    const { userId } = this.user;
    const response = await this.call('devices.check', { body: { userId, signals: this.signals } });
    this.deviceId = response.body.deviceId;
    return response;
  }

  async verify(): Promise<Answered> {
    const { userId, email: userEmail } = this.user;
    const { deviceId } = this;
    expect((await this.call('devices.code-send', { body: { email: userEmail } })).status).toBe(200);
    const code = await codeSentTo(userEmail);
    return this.call('devices.trust', { body: { userId, userEmail, deviceId, code } });
  }

  async pull(): Promise<Answered> {
    const query = { userId: this.user.userId };
    const response = await this.call('vault.read', { query, headers: await this.headers() });
    if (response.status === 200) {
      this.version = response.body.version;
      this.entries = this.decrypted(response.body);
    }
    return response;
  }

  /** Encrypts and stores the entries. `newPassword` becomes the master password. */
  async push(newPassword?: string): Promise<Answered> {
    const { userId, salt } = this.user;
    const headers = await this.headers();
    const renewed = newPassword === undefined ? {} : { new_auth_hash: await authHash(newPassword, salt) };
    const body = { userId, ...this.encrypted(newPassword), version: this.version, ...renewed };
    const response = await this.call('vault.write', { body, headers });
    if (response.status === 200) {
      this.version = response.body.version;
      this.password = newPassword ?? this.password;
    }
    return response;
  }

  private async headers(): Promise<Record<string, string>> {
    return { 'x-device-id': this.deviceId, 'x-auth-hash': await authHash(this.password, this.user.salt) };
  }

  private call(id: string, request: Parameters<typeof call>[1]): Promise<Answered> {
    return call(id, { ...request, sourceIp: this.sourceIp });
  }

  private key(password: string): Buffer {
    return pbkdf2Sync(password, `${this.user.salt}_VAULT`, 100_000, 32, 'sha256');
  }

  private encrypted(password = this.password): { data_blob: string; iv: string } {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key(password), iv);
    const text = Buffer.concat([cipher.update(JSON.stringify(this.entries)), cipher.final()]);
    const data = Buffer.concat([text, cipher.getAuthTag()]);
    return { data_blob: data.toString('base64'), iv: iv.toString('base64') };
  }

  private decrypted({ data_blob, iv }: { data_blob: string; iv: string }): string[] {
    const data = Buffer.from(data_blob, 'base64');
    const cipher = createDecipheriv('aes-256-gcm', this.key(this.password), Buffer.from(iv, 'base64'));
    cipher.setAuthTag(data.subarray(-16));
    return JSON.parse(Buffer.concat([cipher.update(data.subarray(0, -16)), cipher.final()]).toString());
  }
}

test('a vault survives two devices, a merged conflict, a new master password and a lost device', async () => {
  const id = randomUUID();
  const user = { userId: id, email: `${id}@example.com`, salt: `salt of ${id}` };

  // The first device is quarantined and has no access until the mailed code is verified.
  const laptop = new Client(user, 'correct horse');
  expect((await laptop.checkIn()).body).toMatchObject({ verified: false, requiresMfa: true });
  expect(laptop.deviceId).toBe(`client-${laptop.signals.clientDeviceUUID}`);
  expect((await laptop.push()).body).toEqual({
    error: 'Device not verified',
    details: { deviceId: laptop.deviceId, requiresMfa: true },
  });
  expect((await laptop.verify()).body).toMatchObject({ success: true });
  expect((await laptop.checkIn()).body).toMatchObject({ verified: true, deviceId: laptop.deviceId });

  // There is no vault yet. The first write creates it and registers the proof.
  expect((await laptop.pull()).status).toBe(404);
  laptop.entries = ['bank'];
  expect((await laptop.push()).body).toMatchObject({ success: true, version: 1 });

  // A second device joins. With a wrong password it has no access.
  const phone = new Client(user, 'wrong horse');
  await phone.checkIn();
  expect((await phone.pull()).status).toBe(403);
  expect((await phone.verify()).status).toBe(200);
  expect((await phone.pull()).status).toBe(401);
  phone.password = 'correct horse';
  expect((await phone.pull()).status).toBe(200);
  expect([phone.entries, phone.version]).toEqual([['bank'], 1]);

  // Both devices change the vault. The second write gets a conflict, merges and writes again.
  laptop.entries.push('mail');
  phone.entries.push('shop');
  expect((await laptop.push()).body.version).toBe(2);
  expect((await phone.push()).body).toEqual({ error: 'Vault conflict', details: { version: 2 } });
  const unsaved = phone.entries;
  await phone.pull();
  phone.entries = [...new Set([...phone.entries, ...unsaved])];
  expect((await phone.push()).body.version).toBe(3);
  await laptop.pull();
  expect(laptop.entries.sort()).toEqual(['bank', 'mail', 'shop']);

  // The phone sets a new master password. The laptop has no access until it uses the new password.
  expect((await phone.push('battery staple')).body.version).toBe(4);
  expect((await laptop.pull()).status).toBe(401);
  laptop.password = 'battery staple';
  expect((await laptop.pull()).body.version).toBe(4);
  expect(laptop.entries.sort()).toEqual(['bank', 'mail', 'shop']);

  // The laptop is stolen and revoked. It has no access despite the password, and its next sign-in requires a code.
  const list = await call('devices.list', { query: { userId: id } });
  expect(list.body.devices.map((device: Answered['body']) => device.device_fingerprint_hash).sort()).toEqual(
    [laptop.deviceId, phone.deviceId].sort(),
  );
  const query = { userId: id, deviceHash: laptop.deviceId };
  expect((await call('devices.revoke', { query })).body).toEqual({ success: true });
  expect((await laptop.pull()).status).toBe(403);
  expect((await laptop.push()).status).toBe(403);
  expect((await laptop.checkIn()).body).toMatchObject({ verified: false, requiresMfa: true });
  expect((await laptop.pull()).status).toBe(403);

  // The phone keeps its access, and the user was notified of both sign-ins.
  phone.entries.push('bakery');
  expect((await phone.push()).body.version).toBe(5);
  await phone.pull();
  expect(phone.entries.sort()).toEqual(['bakery', 'bank', 'mail', 'shop']);
  const subjects = (await mailsTo(user.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes('New Device Login'))).toHaveLength(2);
});
