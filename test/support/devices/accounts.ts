import { createHash, randomInt, randomUUID } from 'node:crypto';
import { wrongCodeLimit } from '../../../functions/shared/auth/codes/code-tries.ts';
import { requesterOf } from '../../../functions/shared/auth/codes/mailbox-store.ts';
import { storeCode } from '../../../functions/shared/auth/codes/one-time-codes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { alertShards } from '../../../functions/shared/contract/keys.ts';
import { mailboxOf } from '../../../functions/shared/fields/mailbox.ts';
import { queryItems } from '../../../functions/shared/table/query.ts';
import { getItem, type Item } from '../../../functions/shared/table/table.ts';
import { type Answered, type Call, call, freshAddress, registered } from '../call.ts';
import { asFunction, grantsOf } from '../granted.ts';
import { codeSentTo } from '../mail/mailbox.ts';

/** A user with an address and a device that is not yet trusted. */
export class Account {
  readonly userId: string;
  readonly email: string;
  readonly uuid: string;
  readonly deviceId: string;
  readonly authHash: string;

  constructor({ userId, email, uuid, deviceId, authHash }: AccountFields) {
    this.userId = userId;
    this.email = email;
    this.uuid = uuid;
    this.deviceId = deviceId;
    this.authHash = authHash;
  }

  with(more: Partial<AccountFields>): Account {
    return new Account({ ...this, ...more });
  }

  /** The same user with another device. */
  anotherDevice(): Account {
    const uuid = randomUUID();
    return this.with({ uuid, deviceId: `client-${uuid}` });
  }

  /** Headers that prove the device. */
  get proof() {
    return { 'x-device-id': this.deviceId, 'x-auth-hash': this.authHash };
  }

  /** Checks the device in. */
  checkIn(sourceIp?: string): Promise<Answered> {
    const signals = { clientDeviceUUID: this.uuid, userAgent: chrome };
    return call('devices.check', { body: { userId: this.userId, signals }, ...defined({ sourceIp }) });
  }

  verification(code: string) {
    return { body: { userId: this.userId, userEmail: this.email, deviceId: this.deviceId, code } };
  }

  verify(code: string, sourceIp?: string): Promise<Answered> {
    return call('devices.trust', { ...this.verification(code), ...defined({ sourceIp }) });
  }

  /** The device as GET /api/devices lists it. */
  async shownDevice(): Promise<Answered['body']> {
    const { body } = await call('devices.list', { query: { userId: this.userId } });
    return body.devices.find((device: Answered['body']) => device.device_fingerprint_hash === this.deviceId);
  }

  /** Writes the vault. `more` overrides the request. */
  writeVault(body: Record<string, unknown> = {}, more: Call = {}): Promise<Answered> {
    const sent = { userId: this.userId, ...vaultPayload, ...body };
    return call('vault.write', { headers: this.proof, body: sent, ...more });
  }

  readVault(more: Call = {}): Promise<Answered> {
    return call('vault.read', { headers: this.proof, query: { userId: this.userId }, ...more });
  }
}
type AccountFields = Pick<Account, 'userId' | 'email' | 'uuid' | 'deviceId' | 'authHash'>;

export function newAccount(more: Partial<AccountFields> = {}): Account {
  const uuid = randomUUID();
  const authHash = createHash('sha256').update(uuid).digest('hex');
  const email = `${uuid}@example.com`;
  const own = { userId: `user-${uuid}`, email, uuid, deviceId: `client-${uuid}`, authHash };
  return new Account({ ...own, ...more });
}

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Requests a code and reads it from the mailbox. */
export async function requestCode(email: string, sourceIp?: string): Promise<string> {
  const response = await call('devices.code-send', { body: { email }, ...defined({ sourceIp }) });
  if (response.status !== 200) throw new Error(`No code was sent: ${response.text}`);
  return codeSentTo(email);
}

/** An account whose device is trusted. */
export async function trustedAccount(account = newAccount()): Promise<Account> {
  const { code } = await quarantinedAccount(account);
  const response = await account.verify(code);
  if (response.status !== 200) throw new Error(`The device was not trusted: ${response.text}`);
  return account;
}

/** An account whose device is quarantined, and the code that trusts it. The code is stored as a request does, without its mail. */
export async function quarantinedAccount(
  account = newAccount(),
  sourceIp?: string,
): Promise<{ account: Account; code: string }> {
  await account.checkIn();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const requester = requesterOf(sourceIp ?? freshAddress());
  const slot = { purpose: 'device', email: account.email } as const;
  const id = 'devices.code-send';
  await asFunction(id, grantsOf(registered(id).route), () =>
    storeCode(slot, { code, codeId: randomUUID() }, requester, Date.now()),
  );
  return { account, code };
}

/** Six digits that differ from the code, and for each `n` from 1. */
export const wrongCode = (code: string, n = 1): string =>
  String((Number(code) + n) % 1_000_000).padStart(6, '0');

/** Items of the table, read without the handlers. */
export const stored = {
  /** The code of an address, with the number of attempts at it. */
  code: async (email: string, purpose = 'device'): Promise<Item | undefined> => {
    const item = await getItem(keys.code(purpose, email));
    return item && { ...item, attempts: item.tries instanceof Set ? item.tries.size : 0 };
  },
  /** The codes that were sent to the mailbox of an address. */
  sentCodes: (email: string): Promise<Item | undefined> => getItem(keys.mailboxCodes(mailboxOf(email))),
  /** The verified source of the mailbox of an address. */
  verifiedSources: (email: string): Promise<Item | undefined> =>
    getItem(keys.mailboxVerifiedSources(mailboxOf(email))),
  /** The tries of an address block. */
  tries: async (block: string): Promise<{ tries?: string[] } | undefined> => {
    const item = await getItem(keys.rateLimit(wrongCodeLimit.group, block));
    return (
      item && defined({ tries: item.tries === undefined ? undefined : [...(item.tries as Set<string>)] })
    );
  },
  device: async ({ userId, deviceId }: Account): Promise<Item | undefined> =>
    (await getItem(keys.trusted(userId, deviceId))) ?? getItem(keys.quarantined(userId, deviceId)),
  devices: ({ userId }: Account): Promise<Item[]> => queryItems(keys.devicePartition(userId)),
  user: ({ userId }: Account): Promise<Item | undefined> => getItem(keys.user(userId)),
  /** Alerts that are due for an address. */
  alerts: async (email: string): Promise<Item[]> => {
    const shards = Array.from({ length: alertShards }, (_, shard) => queryItems(keys.alertPartition(shard)));
    return (await Promise.all(shards)).flat().filter(({ to }) => to === email);
  },
};

export const vaultPayload = { data_blob: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ', iv: 'AAECAwQFBgcICQoL' };

/** A proof that no account of {@link newAccount} has. */
export const newProof = 'c'.repeat(64);

/** A user with a trusted device and a vault. */
export async function vaultAccount(body: Record<string, unknown> = {}): Promise<Account> {
  const account = await trustedAccount();
  const { status } = await account.writeVault(body);
  if (status !== 200) throw new Error(`The vault was not stored: ${status}`);
  return account;
}
