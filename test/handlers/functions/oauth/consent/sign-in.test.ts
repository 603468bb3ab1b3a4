import { afterEach, describe, expect, test, vi } from 'vitest';
import { call, freshAddress } from '../../../../support/call.ts';
import { checkIn, newAccount, requestCode, verification } from '../../../../support/devices/accounts.ts';
import { countCalls, loseMailAnswers } from '../../../../support/faults.ts';
import { codeSentTo, mailsTo } from '../../../../support/mail/mailbox.ts';
import { headingOf, newAuthorization, requestSignInCode } from '../../../../support/oauth/sign-in.ts';
import { formWith } from '../../../../support/samples/forms.ts';
import { Browser } from '../../../../support/samples/oauth.ts';
import { newUser } from '../../../../support/tenants.ts';

afterEach(() => vi.useRealTimers());

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('a sign-in code', () => {
  test('is invalidated by the fifth wrong try', async () => {
    const { email } = await newUser();
    const { browser } = await requestSignInCode(email);
    const right = await codeSentTo(email);
    const wrong = right === '000000' ? '000001' : '000000';
    for (let i = 0; i < 5; i += 1) {
      const response = await browser.send('sign-in', { code: wrong });
      expect([response.status, response.headers.location]).toEqual([400, undefined]);
      expect(response.text).toMatch(/aria-invalid="true" aria-describedby="code-error"/);
      expect(response.text).toMatch(/id="code-error" role="alert"/);
    }
    expect((await browser.send('sign-in', { code: right })).status).toBe(400);
  });

  test('starts one session under concurrent tries, and a repeat within ten seconds leads to it', async () => {
    const { email } = await newUser();
    const { browser } = await requestSignInCode(email);
    const code = await codeSentTo(email);
    const fields = formWith(browser.page?.text ?? '', 'sign-in');
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => browser.tab().post({ ...fields, step: 'sign-in', code })),
    );
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect(new Set(responses.map(({ cookies }) => cookies[0])).size).toBe(1);
    const repeat = () => browser.tab().post({ ...fields, step: 'sign-in', code });
    advance(9_000);
    expect((await repeat()).cookies[0]).toBe(responses[0]?.cookies[0]);
    advance(1_000);
    expect((await repeat()).status).toBe(400);
  });

  test('works only in the browser that requested it', async () => {
    const { email } = await newUser();
    const { query } = await requestSignInCode(email);
    const code = await codeSentTo(email);
    const other = new Browser();
    await other.open(query);
    const fields = formWith(other.page?.text ?? '', 'send');
    expect((await other.post({ ...fields, step: 'sign-in', email, code })).status).toBe(400);
  });

  test('cannot replace a device verification code, nor the other way round', async () => {
    const account = newAccount();
    await newUser({ email: account.email });
    await checkIn(account);
    const deviceCode = await requestCode(account.email);
    const { browser } = await requestSignInCode(account.email);
    const code = await codeSentTo(account.email);
    expect((await call('devices.trust', verification(account, code))).status).toBe(400);
    if (deviceCode !== code) {
      expect((await browser.send('sign-in', { code: deviceCode })).status).toBe(400);
    }
    expect((await call('devices.trust', verification(account, deviceCode))).status).toBe(200);
  });

  test('works when the answer of SES is lost, and is mailed once', async () => {
    const user = await newUser();
    const fault = loseMailAnswers();
    const { browser, response } = await requestSignInCode(user.email).finally(fault.restore);
    expect([response.status, headingOf(response.text)]).toEqual([200, 'Check your mail']);
    expect(response.text).toContain('The mail may arrive late.');
    expect(await mailsTo(user.email)).toHaveLength(1);
    const signedIn = await browser.send('sign-in', { code: await codeSentTo(user.email) });
    expect(signedIn.status).toBe(303);
  });

  test('is tried at most ten times a minute by one client, across addresses', async () => {
    const sourceIp = freshAddress();
    const statuses: number[] = [];
    const { browser } = await requestSignInCode((await newUser()).email);
    for (let i = 0; i < 11; i += 1) {
      const more = { email: `somebody-${i}@example.com`, code: '123456' };
      statuses.push((await browser.send('sign-in', more, { sourceIp })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
  });
});

describe('an address without an active account', () => {
  const anonymous = (text: string, email: string) =>
    text
      .replaceAll(email, 'X')
      .replaceAll(/value="[\w-]{22,}"/g, '')
      .replaceAll(/app_\w+/g, '');

  test('gets the same pages, at the same cost, as one with an account', async () => {
    const active = (await newUser()).email;
    const suspended = (await newUser({ status: 'suspended' })).email;
    const unknown = `nobody-${crypto.randomUUID()}@example.com`;
    const observations: unknown[] = [];
    for (const email of [active, suspended, unknown]) {
      const query = await newAuthorization();
      const browser = new Browser();
      await browser.open(query);
      const calls = await countCalls(() => browser.send('send', { email }));
      const sent = anonymous(browser.page?.text ?? '', email);
      const wrong = (await codeSentTo(email)) === '000000' ? '000001' : '000000';
      const tries = await countCalls(() => browser.send('sign-in', { code: wrong }));
      observations.push([
        calls,
        sent,
        tries,
        browser.page?.status,
        anonymous(browser.page?.text ?? '', email),
      ]);
      expect(await mailsTo(email)).toHaveLength(1);
    }
    // The challenge differs from page to page; the rest must not.
    const [first, ...others] = observations.map((one) =>
      JSON.stringify(one).replaceAll(/code_challenge=[\w-]+/g, ''),
    );
    for (const other of others) expect(other).toBe(first);
  });

  test.each(['unknown', 'suspended', 'of a device only'])('cannot sign in: %s', async (kind) => {
    const email = `${crypto.randomUUID()}@example.com`;
    if (kind === 'suspended') await newUser({ email, status: 'suspended' });
    const { browser } = await requestSignInCode(email);
    const code = await codeSentTo(email);
    const response = await browser.send('sign-in', { code });
    expect([response.status, headingOf(response.text)]).toEqual([
      403,
      'You cannot sign in with this address',
    ]);
  });
});
