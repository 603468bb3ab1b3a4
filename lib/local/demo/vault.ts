import { randomUUID } from 'node:crypto';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { authHash, encryptShare } from '../../client/index.ts';
import { type DemoOptions, demoClient } from './demo-client.ts';

/** A user with a trusted device and a vault: GET /api/vault?userId=<userId> with the headers. */
export interface DemoVault {
  userId: string;
  email: string;
  /** The master password that the user types. `authHash` is derived from it and the user's `salt`. */
  masterPassword: string;
  salt: string;
  headers: { 'x-device-id': string; 'x-auth-hash': string; 'x-device-token'?: string };
  /** AES-256-GCM key of the vault's ciphertext, in Base64url. */
  key: string;
}

/** The demo vault, created when missing; undefined when the code that verifies its device was not mailed here. */
export async function demoVault(options: DemoOptions, operatorKey: string): Promise<DemoVault | undefined> {
  const { state } = options;
  const known = state.get('demo.vault') as DemoVault | undefined;
  if (known !== undefined && (await opens(options, known))) return known;
  const made = await createVault(options, operatorKey);
  if (made !== undefined) state.set('demo.vault', made);
  return made;
}

/** Whether the device still opens the vault: it can be removed, and a reset of its user ends the trust in it. */
const opens = (options: DemoOptions, { userId, headers }: DemoVault): Promise<boolean> =>
  demoClient(options)
    .getVault({ userId }, { headers })
    .then(
      () => true,
      () => false,
    );

/** Verifies a new device as a user's device does, then stores a vault. */
async function createVault(options: DemoOptions, operatorKey: string): Promise<DemoVault | undefined> {
  const userId = `demo-${randomUUID()}`;
  const email = `${userId}@vouchsafe.example`;
  const masterPassword = 'correct horse battery staple';
  const salt = email;
  const signals = {
    clientDeviceUUID: randomUUID(),
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
  };
  // With `ENROLMENT=known`, only users whom an operator entered can verify a device.
  const client = demoClient(options, operatorKey);
  await client.upsertUser({ userId, email, name: 'Vic Demo', status: 'active', verified: true });
  const { deviceId } = await client.checkDevice({ userId, signals });
  await client.sendDeviceCode({ email });
  const code = /\b\d{6}\b/.exec(options.newestMail(email)?.subject ?? '')?.[0];
  if (code === undefined) return undefined;
  const { deviceToken } = await client.trustDevice({ userId, userEmail: email, deviceId, code });

  const headers = {
    'x-device-id': deviceId,
    'x-auth-hash': await authHash(masterPassword, salt),
    ...defined({ 'x-device-token': deviceToken }),
  };
  const { payload, key } = await encryptShare(JSON.stringify({ note: 'Only you can read this.' }));
  const { data_blob, iv } = payload;
  await client.writeVault({ userId, data_blob, iv }, { headers });
  return { userId, email, masterPassword, salt, headers, key };
}
