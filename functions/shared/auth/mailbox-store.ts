/**
 * A mailbox, for which codes are counted, and who asks for them.
 *
 * What verified a mailbox is stored as a keyed hash that differs for each mailbox: a copy of the table tells neither
 * from where a person signs in, nor that two people share a network.
 */

import { createHmac } from 'node:crypto';
import { defined } from '../contract/defined.ts';
import { keys, tableSchema } from '../contract/keys.ts';
import { isWellFormedSecret, secretHash } from '../contract/secret.ts';
import { expirySeconds } from '../contract/time-to-live.ts';
import { mailboxOf } from '../fields/mailbox.ts';
import { addressBlock, unknownBlock } from '../lambda/client-key.ts';
import { dayMs } from '../runtime/duration.ts';
import { batchGetItems, getItem, type Item, type Write } from '../table/table.ts';
import type { CodeLog } from './code-caps.ts';
import { deploymentKey } from './deployment-key.ts';

/** How long and how many verified sources of a mailbox are remembered. */
const verifiedSourceLimits = { lifetimeMs: 90 * dayMs, max: 20 } as const;

/** Who asks for a code, or tries one. */
export interface Requester {
  /** The address block of the request (`addressBlock`). */
  block: string;
  /** By what a later request is recognized: `block:<block>` and `device:<SHA-256 of the device token>`. */
  sources: readonly string[];
}

/** A mailbox as stored. `revision` counts the writes of its log. */
export interface Mailbox {
  name: string;
  log: CodeLog & { revision: number };
  /** When each source last verified the mailbox (epoch milliseconds), by its keyed hash. */
  verifiedSources: Readonly<Record<string, number>>;
}

/**
 * The requester behind a client address, with the token of its device if it sent one. A malformed token is ignored.
 *
 * @param address the source address that API Gateway saw.
 */
export function requesterOf(address: string, deviceToken = ''): Requester {
  const block = addressBlock(address);
  const blocks = block === unknownBlock ? [] : [`block:${block}`];
  const devices = isWellFormedSecret('device_token', deviceToken)
    ? [`device:${secretHash(deviceToken)}`]
    : [];
  return { block, sources: [...blocks, ...devices] };
}

/** A source as it is stored for a mailbox: the first 64 bits of a keyed hash. */
export async function sourceHash(mailbox: string, source: string): Promise<string> {
  const key = await deploymentKey('codes');
  const hash = createHmac('sha256', key)
    .update(JSON.stringify(['verified source', mailbox, source]))
    .digest();
  return hash.subarray(0, 8).toString('base64url');
}

/** Reads the mailbox of an address, in one round trip. */
export async function readMailbox(email: string): Promise<Mailbox> {
  const name = mailboxOf(email);
  const codes = keys.mailboxCodes(name);
  const verifiedSources = keys.mailboxVerifiedSources(name);
  const items = await batchGetItems([codes, verifiedSources]);
  const find = (sk: string) => items.find((item) => item.sk === sk);
  const { strangers = [], reserve = [], revision = 0 } = (find(codes.sk) ?? {}) as Partial<Mailbox['log']>;
  return {
    name,
    log: { strangers, reserve, revision },
    verifiedSources: verifiedSourcesOf(find(verifiedSources.sk)),
  };
}

/** The hashes of the requester's sources that verified the mailbox in the last 90 days. */
export async function verifiedHashes(
  { name, verifiedSources }: Pick<Mailbox, 'name' | 'verifiedSources'>,
  requester: Requester,
  nowMs: number,
): Promise<string[]> {
  const hashes = await Promise.all(requester.sources.map((source) => sourceHash(name, source)));
  const current = currentSources(verifiedSources, nowMs);
  return hashes.filter((hash) => current.includes(hash));
}

/**
 * The write that remembers the requester as one that verified the mailbox of an address. It reads the verified sources first,
 * to forget the oldest beyond the limit.
 */
export async function rememberVerifiedSources(
  email: string,
  requester: Requester,
  nowMs: number,
): Promise<Write> {
  const name = mailboxOf(email);
  const key = keys.mailboxVerifiedSources(name);
  const [item, ...added] = await Promise.all([
    getItem(key),
    ...requester.sources.map((source) => sourceHash(name, source)),
  ]);
  const others = Object.fromEntries(
    Object.entries(verifiedSourcesOf(item)).filter(([hash]) => !added.includes(hash)),
  );
  const kept = currentSources(others, nowMs).slice(0, verifiedSourceLimits.max - added.length);
  const removed = Object.keys(others).filter((hash) => !kept.includes(hash));
  const sets = ['#ttl=:ttl', ...added.map((_, n) => `#a${n}=:now`)];
  const removals = removed.map((_, n) => `#r${n}`);
  return {
    Update: {
      Key: key,
      UpdateExpression: `SET ${sets.join(', ')}${removals.length > 0 ? ` REMOVE ${removals.join(', ')}` : ''}`,
      ExpressionAttributeNames: {
        '#ttl': tableSchema.timeToLive,
        ...Object.fromEntries(added.map((hash, n) => [`#a${n}`, attributeOf(hash)])),
        ...Object.fromEntries(removed.map((hash, n) => [`#r${n}`, attributeOf(hash)])),
      },
      ExpressionAttributeValues: defined({
        ':ttl': expirySeconds(nowMs + verifiedSourceLimits.lifetimeMs),
        // DynamoDB refuses a value that no expression uses.
        ':now': added.length > 0 ? nowMs : undefined,
      }),
    },
  };
}

/** Each source is an attribute of its own, so that concurrent verifications keep each other's. */
const attributePrefix = 'v:';
const attributeOf = (hash: string) => attributePrefix + hash;

function verifiedSourcesOf(item: Item | undefined): Record<string, number> {
  const entries = Object.entries(item ?? {}).filter(([name]) => name.startsWith(attributePrefix));
  return Object.fromEntries(
    entries.map(([name, atMs]) => [name.slice(attributePrefix.length), Number(atMs)]),
  );
}

/** The hashes that count, the newest first: concurrent verifications can store more than the limit. */
function currentSources(verifiedSources: Readonly<Record<string, number>>, nowMs: number): string[] {
  return Object.entries(verifiedSources)
    .filter(([, atMs]) => atMs > nowMs - verifiedSourceLimits.lifetimeMs)
    .sort(([, a], [, b]) => b - a)
    .slice(0, verifiedSourceLimits.max)
    .map(([hash]) => hash);
}
