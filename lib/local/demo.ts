import { randomUUID } from 'node:crypto';
import { registeredRoutes } from '../../functions/routes.ts';
import { keys } from '../../functions/shared/keys.ts';
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

/** What a newcomer tries the API with. */
export interface Demo {
  shares: {
    /** Opens as often as one likes. */
    repeated: DemoShare;
    /** Opens once; the next look at the demo data finds another one here. */
    oneTime: DemoShare;
  };
}

export interface DemoOptions {
  state: State;
  invoke: Invoke;
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
    const demo = last.then(async () => ({
      shares: {
        repeated: await share(options, 'repeated', 'This share opens as often as you like.'),
        oneTime: await share(options, 'oneTime', 'This share opens once.'),
      },
    }));
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
  const { key, iv, ciphertext } = await encrypt(text);
  const body = { data_blob: ciphertext, iv, one_time: oneTime, expires_in_hours: 168 };
  const { shareId, expiresAt } = (await post(options, '/api/share', body)) as DemoShare;
  return { shareId, key, expiresAt };
}

/** As a client does: the key never reaches the server. Base64, the key in its URL alphabet. */
async function encrypt(text: string): Promise<{ key: string; iv: string; ciphertext: string }> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, Buffer.from(text));
  return {
    key: Buffer.from(await crypto.subtle.exportKey('raw', key)).toString('base64url'),
    iv: Buffer.from(iv).toString('base64'),
    ciphertext: Buffer.from(ciphertext).toString('base64'),
  };
}

let posts = 0;

/**
 * Calls a POST route's handler as somebody else: from the addresses that are set aside for documentation
 * (192.0.2.0/24, RFC 5737), one after the other, so that nobody's rate limit is touched.
 */
async function post({ invoke, nowMs }: DemoOptions, path: string, body: unknown): Promise<unknown> {
  const entry = registeredRoutes().find(({ route }) => route.method === 'POST' && route.path === path);
  if (entry === undefined) throw new Error(`There is no POST ${path}`);
  posts += 1;
  const event = toEvent({
    method: 'POST',
    target: path,
    rawHeaders: ['Content-Type', 'application/json'],
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
