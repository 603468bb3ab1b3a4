import { createHash, randomUUID } from 'node:crypto';
import { type Answered, call } from './call.ts';
import { codeSentTo } from './mails.ts';

/** Somebody with an address and a device, not yet trusted. */
export interface Account {
  userId: string;
  email: string;
  uuid: string;
  deviceId: string;
  authHash: string;
}

export function newAccount(): Account {
  const [id, uuid] = [randomUUID(), randomUUID()];
  return {
    userId: `user-${id}`,
    email: `${id}@example.com`,
    uuid,
    deviceId: `client-${uuid}`,
    authHash: createHash('sha256').update(id).digest('hex'),
  };
}

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Checks the account's device in. */
export function checkIn({ userId, uuid }: Account, sourceIp?: string): Promise<Answered> {
  return call('devices.check', {
    body: { userId, signals: { clientDeviceUUID: uuid, userAgent: chrome } },
    ...(sourceIp && { sourceIp }),
  });
}

/** Has a code sent, and reads it from the mailbox. */
export async function requestCode(email: string): Promise<string> {
  const answer = await call('devices.send', { body: { email } });
  if (answer.status !== 200) throw new Error(`No code was sent: ${answer.text}`);
  return codeSentTo(email);
}

export function verification({ userId, email, deviceId }: Account, code: string) {
  return { body: { userId, userEmail: email, deviceId, code } };
}

export const verify = (account: Account, code: string): Promise<Answered> =>
  call('devices.verify', verification(account, code));

/** An account whose device is trusted. */
export async function trustedAccount(account = newAccount()): Promise<Account> {
  await checkIn(account);
  const answer = await verify(account, await requestCode(account.email));
  if (answer.status !== 200) throw new Error(`The device was not trusted: ${answer.text}`);
  return account;
}

export const proofOf = ({ deviceId, authHash }: Account) => ({
  'x-device-id': deviceId,
  'x-auth-hash': authHash,
});

export const vaultPayload = { data_blob: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ', iv: 'AAECAwQFBgcICQoL' };

/** Writes the account's vault. */
export function writeVault(account: Account, body: Record<string, unknown> = {}): Promise<Answered> {
  return call('vault.write', {
    headers: proofOf(account),
    body: { userId: account.userId, ...vaultPayload, ...body },
  });
}

export function readVault(account: Account): Promise<Answered> {
  return call('vault.read', { headers: proofOf(account), query: { userId: account.userId } });
}
