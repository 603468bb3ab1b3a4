/** Strangers who keep asking for codes to a mailbox and guess them, and the owner of the mailbox who signs in meanwhile. */

import { randomUUID } from 'node:crypto';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { hourMs, minuteMs, secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { call, freshAddress } from '../../../../support/call.ts';
import { type Account, newAccount, stored, wrongCode } from '../../../../support/devices/accounts.ts';
import { store } from '../../../../support/devices/codes.ts';
import { type DeviceKey, dpopProof, newDeviceKey } from '../../../../support/devices/device-keys.ts';
import { codeSentTo, mailsTo } from '../../../../support/mail/mailbox.ts';
import { headingOf } from '../../../../support/oauth/sign-in.ts';
import { AccountBrowser } from '../../../../support/samples/account.ts';
import { asOperator, profile } from '../../../../support/samples/operator.ts';
import { samples } from '../../../../support/thoroughness.ts';

const start = Date.parse('2026-07-01T10:00:00Z');
const hours = Array.from({ length: samples({ few: 4, many: 12 }) }, (_, hour) => hour);

async function enter({ userId, email }: Account): Promise<void> {
  const request = await asOperator({ params: { userId }, body: { ...profile(), email } });
  expect((await call('users.upsert', request)).status).toBe(200);
}

/** The token of an enrolment link that an operator has mailed. */
async function mailedLink({ userId, email }: Account): Promise<string> {
  const request = await asOperator({ params: { userId } });
  expect((await call('users.enrolment-link-send', request)).status).toBe(200);
  const mails = (await mailsTo(email)).flatMap(
    ({ text }) => /\/account\?enrolment=(vet_[\w-]{22})/.exec(text) ?? [],
  );
  return mails[1] ?? '';
}

/**
 * More strangers than a mailbox has codes for ask for one. The first ask by what both pages and devices call, without a mail; of the
 * others, half ask on the account page.
 */
async function ask({ email }: Account): Promise<void> {
  const slot = { purpose: 'device', email } as const;
  await Promise.all(
    Array.from({ length: 16 }, (_, n) =>
      store(slot, { code: String(100_000 + n), codeId: randomUUID() }, Date.now()),
    ),
  );
  const strangers = Array.from({ length: 6 }, async (_, n) => {
    if (n % 2 === 1) return call('devices.code-send', { body: { email } });
    const browser = new AccountBrowser();
    await browser.open();
    return browser.send('send', { email });
  });
  await Promise.all(strangers);
}

/** Some of them guess the code, half with headers of their own. */
async function guess(account: Account, code: string): Promise<void> {
  const strangers = Array.from({ length: 6 }, (_, n) => {
    const headers = {
      'x-device-token': `vdt_${'a'.repeat(22)}`,
      'x-enrolment-token': `vet_${'a'.repeat(22)}`,
    };
    const request = account.verification(wrongCode(code, n + 1));
    return call('devices.trust', { ...request, headers: n % 2 === 0 ? headers : {} });
  });
  await Promise.all(strangers);
}

/**
 * The strangers ask before the owner does in even hours, and right after in odd ones. Then they guess, and the owner goes on.
 * Enrolment is open for two hours, and known for two.
 */
async function signInUnderAttack(
  hour: number,
  account: Account,
  {
    send,
    enterCode,
  }: { send: () => Promise<{ status: number }>; enterCode: (code: string) => Promise<boolean> },
): Promise<boolean> {
  vi.stubEnv('ENROLMENT', hour % 4 < 2 ? 'open' : 'known');
  vi.setSystemTime(start + (hour + 1) * hourMs);
  if (hour % 2 === 0) await ask(account);
  vi.setSystemTime(Date.now() + minuteMs);
  if ((await send()).status !== 200) return false;
  const code = await codeSentTo(account.email);
  if (hour % 2 === 1) await ask(account);
  await guess(account, code);
  vi.setSystemTime(Date.now() + 30 * secondMs);
  return enterCode(code);
}

/** The owner signs in to the account page, in a network that is new in each hour. */
const onPage = (account: Account, browser: AccountBrowser) => ({
  send: () => browser.send('send', { email: account.email }),
  enterCode: async (code: string) => (await browser.send('sign-in', { code })).status === 303,
});

/** The owner verifies a device, with headers that show what they have. */
function onDevice(
  account: Account,
  headersOf: (path: string, body: object) => Promise<Record<string, string>>,
) {
  const sourceIp = freshAddress();
  const post = async (id: string, path: string, body: object) => {
    const text = JSON.stringify(body);
    return call(id, { body: text, headers: await headersOf(path, body), sourceIp });
  };
  return {
    send: () => post('devices.code-send', '/api/auth/mfa/send', { email: account.email }),
    enterCode: async (code: string, more: object = {}) => {
      const { body } = account.verification(code);
      return (await post('devices.trust', '/api/auth/mfa/verify', { ...body, ...more })).status === 200;
    },
  };
}

const failedHours = async (attempt: (hour: number) => Promise<boolean>) => {
  const failed: number[] = [];
  for (const hour of hours) if (!(await attempt(hour))) failed.push(hour);
  return failed;
};

describe('wherever enrolment is open or known, strangers keep out no owner in any hour', () => {
  beforeEach(() => {
    vi.stubEnv('ENROLMENT', 'known');
    vi.useFakeTimers({ toFake: ['Date'], now: start });
  });

  test('whom an operator has just entered, with the link in a browser', async () => {
    const failed = await failedHours(async (hour) => {
      vi.setSystemTime(start + hour * hourMs);
      const account = newAccount();
      await enter(account);
      const browser = new AccountBrowser(freshAddress());
      await browser.open({ enrolment: await mailedLink(account) });
      return signInUnderAttack(hour, account, onPage(account, browser));
    });
    expect(failed).toEqual([]);
  });

  test('whom an operator has just entered, with the token of the link on a device', async () => {
    const failed = await failedHours(async (hour) => {
      vi.setSystemTime(start + hour * hourMs);
      const account = newAccount();
      await enter(account);
      const token = await mailedLink(account);
      await account.checkIn();
      return signInUnderAttack(
        hour,
        account,
        onDevice(account, async () => ({ 'x-enrolment-token': token })),
      );
    });
    expect(failed).toEqual([]);
  });

  test('who signed in before, in that browser and another network', async () => {
    const account = newAccount();
    await enter(account);
    const browser = new AccountBrowser();
    await browser.open();
    await browser.send('send', { email: account.email });
    await browser.send('sign-in', { code: await codeSentTo(account.email) });
    const failed = await failedHours(async (hour) => {
      await browser.send('sign-out').then(() => browser.open());
      vi.setSystemTime(start + (hour + 1) * hourMs);
      await browser.open();
      const isIn = await signInUnderAttack(hour, account, onPage(account, browser));
      await browser.open();
      return isIn && headingOf(browser.page?.text) !== 'Sign in to your account';
    });
    expect(failed).toEqual([]);
  });

  test.each(['token', 'key'])('who verified a device with a %s before, on that device', async (kind) => {
    const account = newAccount();
    await enter(account);
    const key = kind === 'key' ? await newDeviceKey() : undefined;
    let deviceToken: string | undefined;
    const proofHeaders = async (path: string, body: object): Promise<Record<string, string>> =>
      key === undefined
        ? defined({ 'x-device-token': deviceToken })
        : { dpop: await dpopProof(key as DeviceKey, { method: 'POST', path, body: JSON.stringify(body) }) };
    const more = key === undefined ? { deviceTokenRequired: true } : { devicePublicKey: key.publicJwk };
    await account.checkIn();
    await call('devices.code-send', { body: { email: account.email } });
    const { body } = account.verification(await codeSentTo(account.email));
    deviceToken = (await call('devices.trust', { body: { ...body, ...more } })).body.deviceToken;
    const failed = await failedHours(async (hour) => {
      vi.setSystemTime(start + (hour + 1) * hourMs);
      // The owner verifies further devices of theirs with what this one has.
      const device = account.anotherDevice();
      await device.checkIn();
      const owner = onDevice(device, proofHeaders);
      const isIn = await signInUnderAttack(hour, device, {
        send: owner.send,
        enterCode: (code) => owner.enterCode(code),
      });
      return isIn && (await stored.device(device))?.isVerified === true;
    });
    expect(failed).toEqual([]);
  });
});
