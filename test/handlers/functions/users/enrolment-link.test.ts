import {
  readMailbox,
  requesterOf,
  standingOf,
} from '../../../../functions/shared/auth/codes/mailbox-store.ts';
import { codeConsumption } from '../../../../functions/shared/auth/codes/one-time-code.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { getItem, transactWrite } from '../../../../functions/shared/table/table.ts';
import { call, newUser } from '../../../support/call.ts';
import { newAccount } from '../../../support/devices/accounts.ts';
import { rightCode, store } from '../../../support/devices/codes.ts';
import { failMail, refusedBySes } from '../../../support/faults.ts';
import { mailsTo } from '../../../support/mail/mailbox.ts';
import { AccountBrowser, signedInAccount } from '../../../support/samples/account.ts';
import { asOperator } from '../../../support/samples/operator.ts';

const start = Date.parse('2026-07-01T10:00:00Z');
const send = async (userId: string) =>
  call('users.enrolment-link-send', await asOperator({ params: { userId } }));

/** A user to whom a link was mailed, and its token. */
async function invited() {
  const user = await newUser();
  const { status, body } = await send(user.userId);
  expect(status).toBe(200);
  const [mail] = await mailsTo(user.email);
  const [, token = ''] = /\/account\?enrolment=(vet_[\w-]+)/.exec(mail?.text ?? '') ?? [];
  return { ...user, token, mail, body };
}

const isOwner = async (email: string, enrolment: string, nowMs = Date.now()) => {
  const requester = requesterOf('192.0.2.1', { enrolment });
  return (await standingOf(await readMailbox(email, requester), requester, nowMs)).source !== undefined;
};

describe('an enrolment link', () => {
  test('is mailed to the user alone, with 128 bits of which the table has a hash, and says when it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const { email, token, mail, body } = await invited();
    expect(token).toMatch(/^vet_[\w-]{22}$/);
    expect(mail?.html).toContain(`https://api.test/test/account?enrolment=${token}`);
    expect(body).toEqual({ email, expiresAt: '2026-07-08T10:00:00.000Z' });
    const stored = await getItem(keys.enrolmentLink(email, secretHash(token)));
    expect(stored).toMatchObject({ sentAtMs: start });
    expect(JSON.stringify(stored)).not.toContain(token.slice(4));
  });

  test('of which the mail fails is recorded as created', async () => {
    const { userId } = await newUser();
    const fault = failMail(() => refusedBySes('Throttling'));
    expect((await send(userId).finally(fault.restore)).status).toBe(500);
    const { actions } = (
      await call('operator.action-list', await asOperator({ query: { objectId: userId } }))
    ).body;
    expect(actions.map(({ action }: { action: string }) => action)).toEqual(['user.enrolment_link_created']);
  });

  test('counts for its mailbox, for seven days', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const { email, token } = await invited();
    const other = await newUser();
    expect(await isOwner(email, token, start + 7 * dayMs - 1)).toBe(true);
    expect(await isOwner(email, token, start + 7 * dayMs)).toBe(false);
    expect(await isOwner(other.email, token)).toBe(false);
    for (const wrong of [`vet_${'a'.repeat(22)}`, token.slice(4), `${token}a`, ''])
      expect(await isOwner(email, wrong)).toBe(false);
  });

  test('is spent once, by one of ten right codes that arrive at once, and none of the others is consumed', async () => {
    const { email, token } = await invited();
    const requester = requesterOf('192.0.2.1', { enrolment: token });
    const slots = Array.from({ length: 5 }, (_, n) => ({
      purpose: 'account' as const,
      email,
      holder: `browser-${n}`,
    }));
    const nowMs = Date.now();
    for (const slot of slots) await store(slot, { code: '123456', codeId: slot.holder }, nowMs, requester);
    const right = await Promise.all(slots.map((slot) => rightCode(slot, '123456', nowMs, requester)));
    const consumed = await Promise.all(
      right
        .flatMap((code) => (code === undefined ? [] : [code, code]))
        .map((code) => transactWrite(codeConsumption(code, nowMs))),
    );
    expect([consumed.length, consumed.filter(Boolean).length]).toEqual([10, 1]);
    expect(await isOwner(email, token)).toBe(false);
  });

  test('opens the sign-in page any number of times, which spends nothing, and a sign-in spends it', async () => {
    const { email, token } = await invited();
    const browser = new AccountBrowser();
    for (let n = 0; n < 3; n += 1) await browser.open({ enrolment: token });
    expect(browser.page?.cookies[1]).toBe(
      `__Host-vouchsafe-enrolment=${token.slice(4)}; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure`,
    );
    expect(await isOwner(email, token)).toBe(true);
    await browser.send('send', { email });
    const [mail] = await mailsTo(email);
    const response = await browser.send('sign-in', { code: /\d{6}/.exec(mail?.subject ?? '')?.[0] ?? '' });
    expect(response.cookies[1]).toMatch(
      /^__Host-vouchsafe-mailbox-[\w-]{8}=[a-z0-9]{8}\.[\w-]{22}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(await isOwner(email, token)).toBe(false);
  });

  const resetDevices = async (userId: string) =>
    call('users.reset', await asOperator({ params: { userId }, body: { devices: true } }));

  test.each<[string, (userId: string, browser: AccountBrowser) => Promise<unknown>]>([
    ['the reset of devices', resetDevices],
    ['a sign-out everywhere', (_, browser) => browser.submit('sign-out-everywhere')],
  ])('ends with %s, as do the passes of browsers', async (_, happens) => {
    const { userId, email, token } = await invited();
    const browser = await signedInAccount(email);
    const pass = /vouchsafe-mailbox-[\w-]+=([^;]+)/.exec(browser.cookie ?? '')?.[1] ?? '';
    const requester = requesterOf('192.0.2.1', { passes: [pass] });
    const hasPass = async () =>
      (await standingOf(await readMailbox(email, requester), requester, Date.now())).source !== undefined;
    expect([await isOwner(email, token), await hasPass()]).toEqual([true, true]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1 });
    await happens(userId, browser);
    expect([await isOwner(email, token), await hasPass()]).toEqual([false, false]);
  });

  test('is refused for an unknown and for a suspended user', async () => {
    const { userId } = await newUser({ status: 'suspended' });
    expect((await send(newAccount().userId)).status).toBe(404);
    expect([(await send(userId)).status, (await send(userId)).body.details]).toEqual([
      409,
      { status: 'is suspended' },
    ]);
  });
});
