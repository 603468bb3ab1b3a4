/** Attacks with mailed codes: on the mailbox that gets them, and on the person who waits for one. */

import { randomUUID } from 'node:crypto';
import { minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { call, freshAddress, newUser } from '../../../../support/call.ts';
import { type Account, newAccount } from '../../../../support/devices/accounts.ts';
import { codeSentTo, mailsTo, suppress } from '../../../../support/mail/mailbox.ts';
import { newAuthorization } from '../../../../support/oauth/sign-in.ts';
import { Browser } from '../../../../support/samples/oauth.ts';
import { samples } from '../../../../support/thoroughness.ts';

const start = Date.parse('2026-07-01T10:00:00Z');
const send = (email: string, sourceIp = freshAddress(), headers = {}) =>
  call('devices.code-send', { body: { email }, sourceIp, headers });
const verify = (account: Account, code: string, sourceIp: string) =>
  call('devices.trust', { ...account.verification(code), sourceIp });

/** Asks for a sign-in code on the consent page. */
async function sendOnPage(email: string, sourceIp = freshAddress()) {
  const browser = new Browser();
  await browser.open(await newAuthorization());
  const response = await browser.send('send', { email }, { sourceIp });
  return { browser, status: response.status, retryAfter: Number(response.headers['retry-after']) };
}

/** Sends to the mailbox from as many blocks, 20 at a time. Resolves to the number of each status. */
async function flood(blocks: number, email: (n: number) => string): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const left = Array.from({ length: blocks }, (_, n) => n).values();
  const workers = Array.from({ length: 20 }, async () => {
    for (const n of left) {
      const { status } = await send(email(n));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  await Promise.all(workers);
  return statuses;
}

/** An account that verified its mailbox from an address. */
async function verifiedFrom(sourceIp: string, account = newAccount()): Promise<Account> {
  await account.checkIn();
  await send(account.email, sourceIp);
  expect((await verify(account, await codeSentTo(account.email), sourceIp)).status).toBe(200);
  return account;
}

const blocks = samples({ few: 30, many: 1_000 });

describe(`a flood of requests from ${blocks} address blocks`, () => {
  test('sends 20 mails, and leaves six for the block that verified the mailbox', async () => {
    const home = freshAddress();
    const { email } = await verifiedFrom(home);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * minuteMs });
    const before = (await mailsTo(email)).length;
    expect(await flood(blocks, () => email)).toEqual({ 200: 20, 429: blocks - 20 });
    for (let n = 0; n < 6; n += 1) {
      vi.setSystemTime(Date.now() + minuteMs);
      expect((await send(email, home)).status).toBe(200);
    }
    expect((await send(email, home)).status).toBe(429);
    expect(await mailsTo(email)).toHaveLength(before + 26);
  });

  test('with plus-tags reaches one mailbox', async () => {
    const name = randomUUID();
    const tagged = (n: number) => `${name}+tag${n}@example.com`;
    expect(await flood(24, tagged)).toEqual({ 200: 20, 429: 4 });
    expect((await send(`${name}@example.com`)).status).toBe(429);
    const mails = await Promise.all(Array.from({ length: 24 }, (_, n) => mailsTo(tagged(n))));
    expect(mails.flat()).toHaveLength(20);
  });
});

test('a mailbox that one block verified gets at most 26 mails in any hour, however the requests are spread', async () => {
  const home = freshAddress();
  vi.useFakeTimers({ toFake: ['Date'], now: start - 60 * minuteMs });
  const { email } = await verifiedFrom(home);
  const stranger = freshAddress();
  const times: number[] = [];
  const ofStranger: number[] = [];
  for (let minute = 0; minute < 120; minute += 3) {
    vi.setSystemTime(start + minute * minuteMs);
    for (const sourceIp of [stranger, home, freshAddress()]) {
      if ((await send(email, sourceIp)).status !== 200) continue;
      times.push(minute);
      if (sourceIp === stranger) ofStranger.push(minute);
    }
  }
  const most = (of: number[]) =>
    Math.max(...of.map((from) => of.filter((at) => at >= from && at < from + 60).length));
  expect([most(times), most(ofStranger)]).toEqual([26, 3]);
});

test('the consent page counts together with POST /api/auth/mfa/send, and says when to try again', async () => {
  const { email } = await newUser();
  for (let n = 0; n < 10; n += 1) {
    expect((await sendOnPage(email)).status).toBe(200);
    expect((await send(email)).status).toBe(200);
  }
  const refused = await sendOnPage(email.replace('@', '+tag@'));
  expect(refused.status).toBe(429);
  expect(refused.retryAfter).toBeGreaterThan(3_500);
  expect((await send(email)).status).toBe(429);
  expect(await mailsTo(email)).toHaveLength(20);
});

describe.each(['BOUNCE', 'COMPLAINT'] as const)('an address after a %s', (reason) => {
  test('gets no code any more, and the response is the same as for any other address', async () => {
    const { email } = await newUser();
    const other = newAccount().email;
    await send(email);
    await suppress(email, reason);
    const seen = await Promise.all([email, other].map((to) => send(to)));
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toMatchObject({ status: 200, body: { success: true } });
    expect((await sendOnPage(email)).status).toBe(200);
    expect([(await mailsTo(email)).length, (await mailsTo(other)).length]).toEqual([1, 1]);
  });
});
