/**
 * A mailbox, for which codes are counted, and who asks for them.
 *
 * A source that verified a mailbox is stored as a keyed hash that differs for each mailbox: a copy of the table tells neither
 * from where a person signs in, nor that two people share a network.
 */

import { createHmac } from 'node:crypto';
import { defined } from '../../contract/defined.ts';
import * as keys from '../../contract/keys.ts';
import { isWellFormedSecret, secretHash } from '../../contract/secret.ts';
import { mailboxOf } from '../../fields/mailbox.ts';
import { addressBlock, unknownBlock } from '../../lambda/client-key.ts';
import { recordReader } from '../../table/record.ts';
import { batchGetItems, getItem, type Item, type Write } from '../../table/table.ts';
import { deploymentKey } from '../deployment-key.ts';
import type { CodeLog } from './code-caps.ts';
import { type EnrolmentLink, isUsableLink } from './enrolment-link-store.ts';
import { issuedAtMsOf } from './mailbox-pass.ts';
import { verifiedSourceLimits } from './verified-sources.ts';

export interface Requester {
  block: string;
  shown: Shown;
}

/** That only the owner of a mailbox can have. None of them is verified yet. */
export interface Shown {
  /** {@link tokenSource} or {@link keySource} */
  device?: string | undefined;
  enrolment?: string | undefined;
  passes?: readonly string[] | undefined;
}

export interface MailboxSources {
  name: string;
  /** When each source last verified the mailbox (epoch milliseconds), by its keyed hash. */
  verified: Readonly<Record<string, number>>;
  /** Sources that verified the mailbox until this time count no longer. Epoch milliseconds. */
  revokedAtMs: number;
  /** The enrolment link that the requester shows, if it is one of this mailbox. */
  link: EnrolmentLink | undefined;
}

/** `revision` counts the writes of its log. */
export interface Mailbox extends MailboxSources {
  log: CodeLog & { revision: number };
}

export interface Standing {
  block: string;
  /** The source that the requester has proven to be, as a keyed hash. Undefined for everybody else. */
  source: string | undefined;
  isVerified: boolean;
  link: EnrolmentLink | undefined;
}

/** The requester behind a client address. @param address the source address that API Gateway saw. */
export function requesterOf(address: string, shown: Shown = {}): Requester {
  return { block: addressBlock(address), shown };
}

export const tokenSource = (tokenHash: string): string => `device:${tokenHash}`;
/** A key of a device that signed the request, as a source. */
export const keySource = (thumbprint: string): string => `key:${thumbprint}`;

/** An address block as a source. Callers without a valid address share a block, which is none. */
export function blockSource({ block }: Requester): string | undefined {
  return block === unknownBlock ? undefined : `block:${block}`;
}

/** A source as it is stored for a mailbox: the first 64 bits of a keyed hash. */
export async function sourceHash(mailbox: string, source: string): Promise<string> {
  const key = await deploymentKey('codes');
  const hash = createHmac('sha256', key)
    .update(JSON.stringify(['verified source', mailbox, source]))
    .digest();
  return hash.subarray(0, 8).toString('base64url');
}

const readLog = recordReader<Partial<Mailbox['log']>>([]);
const readLink = recordReader<EnrolmentLink>([]);

export async function readMailbox(email: string, { shown }: Pick<Requester, 'shown'>): Promise<Mailbox> {
  const name = mailboxOf(email);
  const codes = keys.mailboxCodes(name);
  const sources = keys.mailboxVerifiedSources(name);
  const link = linkKey(name, shown);
  const items = await batchGetItems([codes, sources, ...(link === undefined ? [] : [link])]);
  const find = (sk: string | undefined) => items.find((item) => item.sk === sk);
  const stored = find(codes.sk);
  const { strangers = [], verified = [], revision = 0 } = stored === undefined ? {} : readLog(stored);
  const log = { strangers, verified, revision };
  return Object.assign(sourcesOf(name, find(sources.sk), find(link?.sk)), { log });
}

/** Reads what verified the mailbox of an address, as it concerns a requester, in one round trip. */
export async function readSources(
  email: string,
  { shown }: Pick<Requester, 'shown'>,
): Promise<MailboxSources> {
  const name = mailboxOf(email);
  const link = linkKey(name, shown);
  const [sources, linkItem] = await Promise.all([
    getItem(keys.mailboxVerifiedSources(name)),
    link && getItem(link),
  ]);
  return sourcesOf(name, sources, linkItem);
}

/** How the requester stands to the mailbox. The device counts before the browser, and both before the enrolment link. */
export async function standingOf(
  mailbox: MailboxSources,
  requester: Requester,
  nowMs: number,
): Promise<Standing> {
  const { name, verified } = mailbox;
  const { device, passes = [] } = requester.shown;
  const link = isUsableLink(mailbox.link, mailbox.revokedAtMs, nowMs) ? mailbox.link : undefined;
  const current = currentSources(mailbox, verified, nowMs);
  const hashOf = (source: string | undefined) =>
    source === undefined ? undefined : sourceHash(name, source);
  const [block, deviceHash, pass] = await Promise.all([
    sourceHash(name, `block:${requester.block}`),
    hashOf(device),
    findPass(mailbox, passes, nowMs),
  ]);
  const isCurrent = (hash: string | undefined) => hash !== undefined && current.includes(hash);
  const source = isCurrent(deviceHash)
    ? deviceHash
    : await hashOf((pass && `pass:${pass}`) ?? (link && `link:${link.hash}`));
  return { block, source, isVerified: source !== undefined || isCurrent(block), link };
}

/**
 * The write that remembers the sources which verified a mailbox, and forgets the oldest beyond the limit. Each source is an
 * attribute of its own, so that concurrent verifications keep each other's.
 */
export async function rememberSources(
  mailbox: MailboxSources,
  { source = '' }: Pick<Standing, 'source'>,
  sources: readonly (string | undefined)[],
  nowMs: number,
): Promise<Write> {
  const { name, verified } = mailbox;
  const hashes = await Promise.all(
    sources.filter((one) => one !== undefined).map((one) => sourceHash(name, one)),
  );
  // A device that is used again must not be the first to be forgotten. Passes and links are not stored here.
  const added = Object.hasOwn(verified, source) ? [...new Set([source, ...hashes])] : hashes;
  const others = Object.fromEntries(Object.entries(verified).filter(([hash]) => !added.includes(hash)));
  const kept = currentSources(mailbox, others, nowMs).slice(0, verifiedSourceLimits.max - added.length);
  const removed = Object.keys(others).filter((hash) => !kept.includes(hash));
  const sets = ['#ttl=:ttl', ...added.map((_, n) => `#a${n}=:now`)];
  const removals = removed.map((_, n) => `#r${n}`);
  return {
    Update: {
      Key: keys.mailboxVerifiedSources(name),
      UpdateExpression: `SET ${sets.join(', ')}${removals.length > 0 ? ` REMOVE ${removals.join(', ')}` : ''}`,
      ExpressionAttributeNames: Object.fromEntries([
        ...added.map((hash, n) => [`#a${n}`, attributeOf(hash)]),
        ...removed.map((hash, n) => [`#r${n}`, attributeOf(hash)]),
      ]),
      ExpressionAttributeValues: defined({
        ':ttl': keys.expirySeconds(nowMs + verifiedSourceLimits.lifetimeMs),
        // DynamoDB refuses a value that no expression uses.
        ':now': added.length > 0 ? nowMs : undefined,
      }),
    },
  };
}

const attributePrefix = 'v:';
const attributeOf = (hash: string) => attributePrefix + hash;

function sourcesOf(name: string, item: Item | undefined, link: Item | undefined): MailboxSources {
  const entries = Object.entries(item ?? {}).filter(([attribute]) => attribute.startsWith(attributePrefix));
  return {
    name,
    verified: Object.fromEntries(
      entries.map(([attribute, atMs]) => [attribute.slice(attributePrefix.length), Number(atMs)]),
    ),
    revokedAtMs: Number(item?.revokedAtMs ?? 0),
    link: link && readLink(link),
  };
}

/** The hashes that count, the newest first: concurrent verifications can store more than the limit. */
function currentSources(
  mailbox: Pick<MailboxSources, 'revokedAtMs'>,
  verified: Readonly<Record<string, number>>,
  nowMs: number,
): string[] {
  return Object.entries(verified)
    .filter(([, atMs]) => isCurrent(mailbox, atMs, nowMs))
    .sort(([, a], [, b]) => b - a)
    .slice(0, verifiedSourceLimits.max)
    .map(([hash]) => hash);
}

/** The first pass of the mailbox that is still valid. */
async function findPass(
  mailbox: MailboxSources,
  passes: readonly string[],
  nowMs: number,
): Promise<string | undefined> {
  const times = await Promise.all(passes.map((pass) => issuedAtMsOf(mailbox.name, pass)));
  return passes[times.findIndex((atMs) => atMs !== undefined && isCurrent(mailbox, atMs, nowMs))];
}

function isCurrent(
  { revokedAtMs }: Pick<MailboxSources, 'revokedAtMs'>,
  atMs: number,
  nowMs: number,
): boolean {
  return atMs >= revokedAtMs && atMs > nowMs - verifiedSourceLimits.lifetimeMs;
}

function linkKey(name: string, { enrolment }: Shown) {
  return enrolment !== undefined && isWellFormedSecret('enrolment_token', enrolment)
    ? keys.enrolmentLink(name, secretHash(enrolment))
    : undefined;
}
