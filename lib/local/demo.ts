import { randomUUID } from 'node:crypto';
import { registeredRoutes } from '../../functions/routes.ts';
import { keys } from '../../functions/shared/keys.ts';
import { authHash, encryptShare } from '../client/index.ts';
import { toEvent } from './events.ts';
import type { Invoke } from './functions.ts';
import type { State } from './state.ts';
import { itemExists } from './table.ts';

/** A share to open: GET /api/share?id=<shareId>, then decrypt with the key. */
interface DemoShare {
  shareId: string;
  /** AES-256-GCM key in Base64url, as it stands in a link's fragment. */
  key: string;
  expiresAt: string;
}

/** Somebody with a trusted device and a vault: GET /api/vault?userId=<userId> with the two headers. */
interface DemoVault {
  userId: string;
  email: string;
  /** What the user would type; `salt` is his, and `authHash` is made of both. */
  masterPassword: string;
  salt: string;
  headers: { 'x-device-id': string; 'x-auth-hash': string };
  /** AES-256-GCM key of the vault's ciphertext, in Base64url. */
  key: string;
}

/** What a newcomer tries the API with. */
export interface Demo {
  shares: {
    /** Opens as often as one likes. */
    repeated: DemoShare;
    /** Opens once; the next look at the demo data finds another one here. */
    oneTime: DemoShare;
  };
  /** Left out when mail goes elsewhere than the mailbox: the code that trusts the device is in a mail. */
  vault?: DemoVault;
}

export interface DemoOptions {
  state: State;
  invoke: Invoke;
  /** The newest mail to an address. */
  newestMail: (address: string) => { subject: string } | undefined;
  nowMs: () => number;
  /** Of the engine. */
  endpoint: string;
  tableName: string;
}

/**
 * Demo data, made through the API's own handlers when first asked for, remembered, and made anew where it has
 * expired or is gone.
 */
export function demoData(options: DemoOptions): () => Promise<Demo> {
  // One after the other, or two first visits would make everything twice.
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const demo = last.then(async () => {
      const shares = {
        repeated: await share(options, 'repeated', 'This share opens as often as you like.'),
        oneTime: await share(options, 'oneTime', 'This share opens once.'),
      };
      const madeVault = await vault(options);
      return { shares, ...(madeVault && { vault: madeVault }) };
    });
    last = demo.catch(() => undefined);
    return demo;
  };
}

async function share(options: DemoOptions, kind: keyof Demo['shares'], text: string): Promise<DemoShare> {
  const { state, nowMs, endpoint, tableName } = options;
  const name = `demo.shares.${kind}`;
  const known = state.get(name) as DemoShare | undefined;
  if (known !== undefined && Date.parse(known.expiresAt) > nowMs()) {
    if (await itemExists(endpoint, tableName, keys.share(known.shareId))) return known;
  }
  const made = await createShare(options, text, kind === 'oneTime');
  state.set(name, made);
  return made;
}

async function createShare(options: DemoOptions, text: string, oneTime: boolean): Promise<DemoShare> {
  const { payload, key } = await encryptShare(text);
  const body = { ...payload, one_time: oneTime, expires_in_hours: 168 };
  const { shareId, expiresAt } = (await post(options, '/api/share', body)) as DemoShare;
  return { shareId, key, expiresAt };
}

async function vault(options: DemoOptions): Promise<DemoVault | undefined> {
  const { state, endpoint, tableName } = options;
  const known = state.get('demo.vault') as DemoVault | undefined;
  if (known !== undefined && (await itemExists(endpoint, tableName, keys.vault(known.userId)))) {
    const device = keys.trusted(known.userId, known.headers['x-device-id']);
    if (await itemExists(endpoint, tableName, device)) return known;
  }
  const made = await createVault(options);
  if (made !== undefined) state.set('demo.vault', made);
  return made;
}

/** Signs in from a new device as a client does, then stores a vault. */
async function createVault(options: DemoOptions): Promise<DemoVault | undefined> {
  const userId = `demo-${randomUUID()}`;
  const email = `${userId}@vouchsafe.example`;
  const [masterPassword, salt] = ['correct horse battery staple', email];
  const signals = {
    clientDeviceUUID: randomUUID(),
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0',
  };
  const { deviceId } = (await post(options, '/api/auth/device-check', { userId, signals })) as {
    deviceId: string;
  };
  await post(options, '/api/auth/mfa/send', { email });
  const code = /\b\d{6}\b/.exec(options.newestMail(email)?.subject ?? '')?.[0];
  if (code === undefined) return undefined;
  await post(options, '/api/auth/mfa/verify', { userId, userEmail: email, deviceId, code });

  const headers = { 'x-device-id': deviceId, 'x-auth-hash': await authHash(masterPassword, salt) };
  const { payload, key } = await encryptShare(JSON.stringify({ note: 'Only you can read this.' }));
  const { data_blob, iv } = payload;
  await post(options, '/api/vault', { userId, data_blob, iv }, headers);
  return { userId, email, masterPassword, salt, headers, key };
}

let posts = 0;

/**
 * Calls a POST route's handler as somebody else: from the addresses that are set aside for documentation
 * (192.0.2.0/24, RFC 5737), one after the other, so that nobody's rate limit is touched.
 */
async function post(
  { invoke, nowMs }: DemoOptions,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const entry = registeredRoutes().find(({ route }) => route.method === 'POST' && route.path === path);
  if (entry === undefined) throw new Error(`There is no POST ${path}`);
  posts += 1;
  const event = toEvent({
    method: 'POST',
    target: path,
    rawHeaders: Object.entries({ 'Content-Type': 'application/json', ...headers }).flat(),
    body: Buffer.from(JSON.stringify(body)),
    peerAddress: `192.0.2.${((posts - 1) % 254) + 1}`,
    port: 443,
    resource: path,
    pathParameters: {},
    requestId: randomUUID(),
    nowMs: nowMs(),
  });
  const answer = (await invoke(entry, event)) as { statusCode: number; body: string };
  if (answer.statusCode >= 300) throw new Error(`POST ${path} answered ${answer.statusCode}: ${answer.body}`);
  return JSON.parse(answer.body);
}
