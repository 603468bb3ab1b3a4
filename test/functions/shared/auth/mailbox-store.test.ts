import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type Requester,
  readMailbox,
  rememberVerifiedSources,
  requesterOf,
  sourceHash,
  verifiedHashes,
} from '../../../../functions/shared/auth/mailbox-store.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { mailboxOf } from '../../../../functions/shared/fields/mailbox.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { transactWrite } from '../../../../functions/shared/table/table.ts';
import { stored } from '../../../support/devices/accounts.ts';
import { freshRequester } from '../../../support/devices/codes.ts';
import { roundTrips } from '../../../support/faults.ts';

const start = Date.parse('2026-06-01T00:00:00Z');
const freshEmail = () => `${randomUUID()}@example.com`;
const deviceToken = () => `vdt_${randomBytes(16).toString('base64url')}`;
const remember = async (email: string, requester: Requester, atMs = start) =>
  transactWrite([await rememberVerifiedSources(email, requester, atMs)]);
const isVerified = async (email: string, requester: Requester, atMs = start) =>
  (await verifiedHashes(await readMailbox(email), requester, atMs)).length > 0;

test.each([
  ['ann@example.com', 'ann@example.com'],
  ['ann+x@example.com', 'ann@example.com'],
  ['ann+x+y@example.com', 'ann@example.com'],
  ['ann+@example.com', 'ann@example.com'],
  ['+x@example.com', '+x@example.com'],
  ['a.n.n@example.com', 'a.n.n@example.com'],
  ['a.n.n+x@gmail.com', 'ann@gmail.com'],
  ['a.nn@googlemail.com', 'ann@gmail.com'],
  ['a.nn@googlemail.com.example', 'a.nn@googlemail.com.example'],
])('%s is an address of the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

describe('a requester', () => {
  test('has a block, and a device when it sends a well-formed token', () => {
    const token = deviceToken();
    expect(requesterOf('2001:db8:1:2::3', token)).toEqual({
      block: '2001:db8:1::/48',
      sources: ['block:2001:db8:1::/48', `device:${secretHash(token)}`],
    });
  });

  test.each([
    '',
    'vdt_',
    'vdt_short',
    `vat_${'a'.repeat(22)}`,
    ` ${deviceToken()}`,
    'x'.repeat(9_000),
    'vdt_🙂',
  ])('has no device with the token %j', (token) =>
    expect(requesterOf('192.0.2.1', token).sources).toEqual(['block:192.0.2.1']),
  );

  test('without a valid address verifies nothing, because all of them share one block', () => {
    expect(requesterOf('Unknown')).toEqual({ block: 'unknown', sources: [] });
  });
});

describe('a verified source', () => {
  test('is recognized by its block or by its device, for all plus-tags, and for no other mailbox', async () => {
    const email = freshEmail();
    const token = deviceToken();
    await remember(email, requesterOf('192.0.2.1', token));
    expect(await isVerified(email.replace('@', '+tag@'), requesterOf('192.0.2.1'))).toBe(true);
    expect(await isVerified(email, requesterOf('192.0.2.2', token))).toBe(true);
    expect(await isVerified(email, requesterOf('192.0.2.2', deviceToken()))).toBe(false);
    expect(await isVerified(freshEmail(), requesterOf('192.0.2.1', token))).toBe(false);
  });

  test('is forgotten after 90 days, counted from its last verification', async () => {
    const email = freshEmail();
    const requester = freshRequester();
    await remember(email, requester);
    expect(await isVerified(email, requester, start + 90 * dayMs - 1)).toBe(true);
    expect(await isVerified(email, requester, start + 90 * dayMs)).toBe(false);
    await remember(email, requester, start + 60 * dayMs);
    expect(await isVerified(email, requester, start + 149 * dayMs)).toBe(true);
    expect((await stored.verifiedSources(email))?.ttl).toBe((start + 150 * dayMs) / 1000);
  });

  test('is forgotten when 20 newer ones exist', async () => {
    const email = freshEmail();
    const requesters = Array.from({ length: 25 }, freshRequester);
    for (const [n, requester] of requesters.entries()) await remember(email, requester, start + n);
    const known = await Promise.all(requesters.map((one) => isVerified(email, one, start + 30)));
    expect(known).toEqual([...Array(5).fill(false), ...Array(20).fill(true)]);
    expect(Object.keys((await stored.verifiedSources(email)) ?? {})).toHaveLength(3 + 20);
  });

  test('counts among the newest 20 alone, when concurrent verifications store more', async () => {
    const email = freshEmail();
    const requesters = Array.from({ length: 30 }, freshRequester);
    await Promise.all(requesters.map((one, n) => remember(email, one, start + n)));
    const known = await Promise.all(requesters.map((one) => isVerified(email, one, start + 40)));
    expect(known.filter(Boolean)).toHaveLength(20);
  });

  test('is stored as a keyed hash, which differs for each mailbox', async () => {
    const email = freshEmail();
    const token = deviceToken();
    await remember(email, requesterOf('192.0.2.55', token));
    const text = JSON.stringify(await stored.verifiedSources(email));
    for (const secret of ['192.0.2.55', token, secretHash(token)]) expect(text).not.toContain(secret);
    const hashes = await Promise.all(['a@b.example', 'c@b.example'].map((one) => sourceHash(one, 'block:x')));
    expect(new Set(hashes).size).toBe(2);
  });

  test('is read together with the sent codes, in one round trip', async () => {
    expect(await roundTrips(() => readMailbox(freshEmail()))).toEqual([['BatchGetItemCommand']]);
  });
});
