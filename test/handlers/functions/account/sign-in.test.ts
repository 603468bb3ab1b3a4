import { sessionLifetimeMs } from '../../../../functions/shared/sign-in/session.ts';
import { newUser } from '../../../support/call.ts';
import { newAccount, trustedAccount } from '../../../support/devices/accounts.ts';
import { countCalls } from '../../../support/faults.ts';
import { codeSentTo } from '../../../support/mail/mailbox.ts';
import { headingOf, newAuthorization, requestSignInCode } from '../../../support/oauth/sign-in.ts';
import { suspendUser } from '../../../support/oauth/tokens.ts';
import { AccountBrowser, signedInAccount } from '../../../support/samples/account.ts';
import { formWith } from '../../../support/samples/forms.ts';
import { signedInBrowser } from '../../../support/samples/oauth.ts';

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);
const ended = 'Your sign-in has ended';

async function asked(email: string) {
  const browser = new AccountBrowser();
  await browser.open();
  return { browser, response: await browser.send('send', { email }) };
}

describe('the account page', () => {
  test('asks for an address, mails a code to it, and opens with the code', async () => {
    const { email } = await newUser();
    const browser = new AccountBrowser();
    const first = await browser.open();
    expect([first.status, headingOf(first.text)]).toEqual([200, 'Sign in to your account']);
    expect(first.text).toContain('autocomplete="email"');
    const code = await browser.send('send', { email: email.toUpperCase() });
    expect([code.status, headingOf(code.text)]).toEqual([200, 'Check your mail']);
    const signedIn = await browser.send('sign-in', { code: await codeSentTo(email) });
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, 'account']);
    expect((await browser.open()).text).toContain(email);
  });

  test('runs no script, loads nothing, and cannot be framed', async () => {
    const { headers, text } = (await signedInAccount((await newUser()).email)).page ?? {};
    expect(headers?.['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers?.['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/<script|<img|<link(?! rel="icon" href="data:)| on\w+=| style=/);
    expect(text?.match(/<h1/g)).toHaveLength(1);
  });

  test('has a cookie of its own, which scripts and other hosts do not get', async () => {
    const { cookies } = await new AccountBrowser().open();
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-vouchsafe-account=[\w-]{22}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });

  test('gets the same pages at the same cost with an unknown address, until the code is right', async () => {
    const { email } = await newUser();
    const unknown = newAccount().email;
    const costs = [];
    for (const address of [email, unknown]) {
      const { browser, response } = await asked(address);
      const wrong = (await codeSentTo(address)) === '000000' ? '000001' : '000000';
      const calls = await countCalls(() => browser.send('sign-in', { code: wrong }));
      costs.push([response.text.replaceAll(address, '…').length, browser.page?.status, calls]);
    }
    expect(costs[1]).toEqual(costs[0]);
    const { browser } = await asked(unknown);
    const refused = await browser.send('sign-in', { code: await codeSentTo(unknown) });
    expect([refused.status, headingOf(refused.text)]).toEqual([403, 'You cannot sign in with this address']);
  });

  test('opens for a user who only verified a device, and not for a suspended one', async () => {
    const account = await trustedAccount();
    expect((await signedInAccount(account.email)).page?.text).toContain('Chrome on Windows');
    const { userId, email } = await newUser();
    await suspendUser(userId);
    const { browser } = await asked(email);
    expect((await browser.send('sign-in', { code: await codeSentTo(email) })).status).toBe(403);
  });

  test('shows each of the users who verified a device with the address, and no other', async () => {
    const first = await trustedAccount();
    const second = await trustedAccount(newAccount({ email: first.email }));
    const stranger = await trustedAccount();
    const browser = await signedInAccount(first.email);
    const shown = () =>
      /<h3 dir="auto">([^<]*)<\/h3><p class="here">Shown below/.exec(browser.page?.text ?? '')?.[1];
    const other = shown() === first.userId ? second : first;
    expect([first.userId, second.userId]).toContain(shown());
    const fields = { ...formWith(browser.page?.text ?? '', 'switch'), step: 'switch', user: other.userId };
    expect((await browser.post(fields)).status).toBe(303);
    const repeated = await browser.post(fields);
    expect([repeated.status, repeated.headers.location]).toEqual([303, 'account']);
    await browser.open();
    expect(shown()).toBe(other.userId);
    expect((await browser.send('switch', { user: stranger.userId })).status).toBe(400);
  });
});

test('the sign-in code of the consent page does not open the account page, nor the other way round', async () => {
  const { email } = await newUser();
  const consent = await requestSignInCode(email);
  const codeOfConsent = await codeSentTo(email);
  const { browser } = await asked(email);
  const codeOfAccount = await codeSentTo(email);
  if (codeOfConsent !== codeOfAccount) {
    expect((await browser.send('sign-in', { code: codeOfConsent })).status).toBe(400);
    expect((await consent.browser.send('sign-in', { code: codeOfAccount })).status).toBe(400);
  }
  expect((await browser.send('sign-in', { code: codeOfAccount })).status).toBe(303);
  expect((await consent.browser.send('sign-in', { code: codeOfConsent })).status).toBe(303);
});

describe('the session', () => {
  test('of the consent page is none of the account page, nor the other way round', async () => {
    const { email } = await newUser();
    const query = await newAuthorization();
    const consent = await signedInBrowser(query, email);
    const account = await signedInAccount(email);
    const renamed = (cookie: string | undefined, from: string, to: string) => cookie?.replace(from, to) ?? '';
    const browser = new AccountBrowser();
    browser.cookie = renamed(consent.cookie, 'consent', 'account');
    expect((await browser.open()).text).toContain('Send me a code');
    consent.cookie = renamed(account.cookie, 'account', 'consent');
    expect((await consent.open(query)).text).toContain('Send me a code');
  });

  test('ends after fifteen minutes, however it is used, and a form then restarts the sign-in', async () => {
    // The clock stands still.
    advance(0);
    const browser = await signedInAccount((await newUser()).email);
    advance(sessionLifetimeMs - 1_000);
    expect((await browser.open()).text).toContain('Signed in as');
    const fields = formWith(browser.page?.text ?? '', 'sign-out-everywhere');
    advance(1_000);
    const late = await browser.post({ ...fields, step: 'sign-out-everywhere' });
    expect([late.status, late.headers.location]).toEqual([303, 'account?notice=expired']);
    expect((await browser.open({ notice: 'expired' })).text).toContain(ended);
  });

  test('refuses a form with the token of another session, a forged token or none', async () => {
    const browser = await signedInAccount((await newUser()).email);
    const other = await signedInAccount((await newUser()).email);
    const foreign = formWith(other.page?.text ?? '', 'sign-out').form ?? '';
    for (const token of [foreign, 'forged', '']) {
      const refused = await browser.post({ step: 'sign-out-everywhere', form: token });
      expect([refused.status, headingOf(refused.text)]).toEqual([403, 'Nothing was changed']);
    }
    browser.cookie = undefined;
    const without = await browser.post({ step: 'sign-out-everywhere', form: foreign });
    expect(without.headers.location).toBe('account?notice=expired');
  });

  test('ends when the person signs out, and a repeat says the same', async () => {
    const browser = await signedInAccount((await newUser()).email);
    const { cookie } = browser;
    const fields = { ...formWith(browser.page?.text ?? '', 'sign-out'), step: 'sign-out' };
    for (const _ of [1, 2]) {
      browser.cookie = cookie;
      const { status, headers } = await browser.post(fields);
      expect([status, headers.location]).toEqual([303, expect.stringMatching(/^account\?done=signed-out\./)]);
    }
    browser.cookie = cookie;
    expect((await browser.open()).text).toContain('Send me a code');
  });
});
