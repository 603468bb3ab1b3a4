import { randomUUID } from 'node:crypto';
import { newPass } from '../../../../../../functions/shared/auth/codes/mailbox-pass.ts';
import {
  blockSource,
  keySource,
  type Requester,
  readMailbox,
  readSources,
  rememberSources,
  requesterOf,
  type Shown,
  sourceHash,
  standingOf,
  tokenSource,
} from '../../../../../../functions/shared/auth/codes/mailbox-store.ts';
import { sourcesRevocation } from '../../../../../../functions/shared/auth/codes/verified-sources.ts';
import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import { transactWrite } from '../../../../../../functions/shared/table/table.ts';
import { stored } from '../../../../../support/devices/accounts.ts';
import { freshRequester } from '../../../../../support/devices/codes.ts';

const start = Date.parse('2026-06-01T00:00:00Z');
const freshEmail = () => `${randomUUID()}@example.com`;
const newDevice = (): Shown => ({ device: tokenSource(randomUUID()) });
const standing = async (email: string, requester: Requester, atMs = start) =>
  standingOf(await readMailbox(email, requester), requester, atMs);
const isVerified = async (...of: Parameters<typeof standing>) => (await standing(...of)).isVerified;
/** Remembers the requester, with the device that it shows, as one that verified the mailbox. */
async function remember(email: string, requester: Requester, atMs = start): Promise<void> {
  const mailbox = await readSources(email, requester);
  const sources = [blockSource(requester), requester.shown.device];
  await transactWrite([
    await rememberSources(mailbox, await standingOf(mailbox, requester, atMs), sources, atMs),
  ]);
}

test('requesters without a valid address verify nothing by it, because all of them share one block', async () => {
  const email = freshEmail();
  expect(requesterOf('Unknown').block).toBe('unknown');
  await remember(email, requesterOf('Unknown'));
  expect(await isVerified(email, requesterOf('Unknown'))).toBe(false);
});

describe('a verified source', () => {
  test('is recognized by its block or by its device, for all plus-tags, and for no other mailbox', async () => {
    const email = freshEmail();
    const device = newDevice();
    await remember(email, requesterOf('192.0.2.1', device));
    expect(await isVerified(email.replace('@', '+tag@'), requesterOf('192.0.2.1'))).toBe(true);
    expect(await isVerified(email, requesterOf('192.0.2.2', device))).toBe(true);
    expect(await isVerified(email, requesterOf('192.0.2.2', newDevice()))).toBe(false);
    expect(await isVerified(freshEmail(), requesterOf('192.0.2.1', device))).toBe(false);
  });

  test.each<[string, (email: string) => Promise<Shown>]>([
    ['a device token', async () => newDevice()],
    ['a device key', async () => ({ device: keySource(randomUUID()) })],
    ['a pass', async (email) => ({ passes: ['x', await newPass(email, start)] })],
  ])(
    'that is %s is counted apart from its block, for its mailbox and until it is revoked',
    async (_, shownFor) => {
      const email = freshEmail();
      const requester = requesterOf('192.0.2.1', await shownFor(email));
      await remember(email, requester);
      const { source, block } = await standing(email, requester);
      expect(source).toMatch(/^[\w-]{11}$/);
      expect(source).not.toBe(block);
      expect((await standing(email, requesterOf('192.0.2.1'))).source).toBeUndefined();
      expect((await standing(freshEmail(), requester)).source).toBeUndefined();
      expect((await standing(email, requester, start + 90 * dayMs)).source).toBeUndefined();
      await transactWrite([sourcesRevocation(email, start + 1)]);
      expect(await standing(email, requester, start + 1)).toMatchObject({
        source: undefined,
        isVerified: false,
      });
    },
  );

  test('that is a pass is a signature of its time: nobody can make one or move it', async () => {
    const email = freshEmail();
    const pass = await newPass(email, start);
    const later = `${(start + 1).toString(36)}${pass.slice(pass.indexOf('.'))}`;
    const forged = [later, `${pass}x`, pass.slice(0, -1), `${start.toString(36)}.${'a'.repeat(22)}`, '', '.'];
    expect((await standing(email, requesterOf('192.0.2.1', { passes: [pass] }))).source).toBeDefined();
    expect(await isVerified(email, requesterOf('192.0.2.1', { passes: forged }))).toBe(false);
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

  test('is stored as a keyed hash, which differs for each mailbox', async () => {
    const email = freshEmail();
    const { device = '' } = newDevice();
    await remember(email, requesterOf('192.0.2.55', { device }));
    const text = JSON.stringify(await stored.verifiedSources(email));
    for (const secret of ['192.0.2.55', device]) expect(text).not.toContain(secret);
    const hashes = await Promise.all(['a@b.example', 'c@b.example'].map((one) => sourceHash(one, 'block:x')));
    expect(new Set(hashes).size).toBe(2);
  });
});
