import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../functions/shared/contract/keys.ts';
import { updateItem } from '../../../functions/shared/table/table.ts';
import { checkIn, newAccount, requestCode, verification } from '../../support/accounts.ts';
import { call, freshAddress } from '../../support/call.ts';
import { countCalls, failMail } from '../../support/faults.ts';
import { codeSentTo, mailsTo } from '../../support/mails.ts';
import {
  authorization,
  Browser,
  formWith,
  issuer,
  newGrant,
  newPkce,
  redirectParameters,
  requestTokens,
  signedInBrowser,
} from '../../support/oauth-samples.ts';
import { newTenant, newUser } from '../../support/tenants.ts';

afterEach(() => vi.useRealTimers());

const newQuery = async (more = {}) => authorization(await newTenant(), newPkce().challenge, more);
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const headingOf = (text: string | undefined) => /<h1>([^<]*)/.exec(text ?? '')?.[1]?.trim();

/** A browser that has requested a code. */
async function requestSignInCode(email: string) {
  const query = await newQuery();
  const browser = new Browser();
  await browser.open(query);
  const answer = await browser.send('send', { email });
  return { query, browser, answer };
}

test('the application gets a code, its state and the issuer after sign-in and consent', async () => {
  const { email } = await newUser();
  const { query, browser, answer } = await requestSignInCode(email.toUpperCase());
  expect([answer.status, headingOf(answer.text)]).toEqual([200, 'Check your mail']);
  expect(answer.text).toMatch(/autocomplete="one-time-code"/);
  const signedIn = await browser.send('sign-in', { code: await codeSentTo(email) });
  expect([signedIn.status, signedIn.headers.location]).toEqual([
    303,
    `consent?${new URLSearchParams(query)}`,
  ]);
  const question = await browser.open(query);
  expect(headingOf(question.text)).toBe('Allow');
  for (const text of ['Example App', email, 'Manage links in your name', 'app.example']) {
    expect(question.text).toContain(text);
  }
  expect(question.text).not.toContain('vault');
  const { status, headers } = await browser.send('allow');
  expect([status, headers['referrer-policy']]).toEqual([303, 'no-referrer']);
  expect(redirectParameters(browser.page ?? question)).toEqual({
    code: expect.stringMatching(/^vac_[\w-]{43}$/),
    state: 'state-1',
    iss: issuer,
  });
});

test('a denial redirects with access_denied, before and after the sign-in', async () => {
  const query = await newQuery();
  const browser = new Browser();
  await browser.open(query);
  const denied = { error: 'access_denied', state: 'state-1', iss: issuer };
  expect(redirectParameters(await browser.send('deny'))).toMatchObject(denied);
  const later = await signedInBrowser(query, (await newUser()).email);
  expect(redirectParameters(await later.send('deny'))).toMatchObject(denied);
});

test('without a scope the page shows the least privileged one, and it warns of dangerous scopes', async () => {
  const { email } = await newUser();
  const least = await signedInBrowser(await newQuery({ scope: undefined }), email);
  expect(least.page?.text.match(/<h2>[^<]*/g)).toEqual(['<h2>See your links and accounts']);
  const most = await signedInBrowser(await newQuery({ scope: 'vault profile trust_links:write' }), email);
  expect(most.page?.text.match(/<h2>/g)).toHaveLength(3);
  expect(most.page?.text).toContain('Careful:');
});

describe('a sign-in code', () => {
  test('is invalidated by the fifth wrong try', async () => {
    const { email } = await newUser();
    const { browser } = await requestSignInCode(email);
    const right = await codeSentTo(email);
    const wrong = right === '000000' ? '000001' : '000000';
    for (let i = 0; i < 5; i += 1) {
      const answer = await browser.send('sign-in', { code: wrong });
      expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
      expect(answer.text).toMatch(/aria-invalid="true" aria-describedby="code-error"/);
      expect(answer.text).toMatch(/id="code-error" role="alert"/);
    }
    expect((await browser.send('sign-in', { code: right })).status).toBe(400);
  });

  test('may contain spaces, and malformed input does not count as a try', async () => {
    const { email } = await newUser();
    const { browser } = await requestSignInCode(email);
    const code = await codeSentTo(email);
    for (const typed of ['', '12345', '1234567', 'abcdef', '12 34 5']) {
      expect((await browser.send('sign-in', { code: typed })).status).toBe(400);
    }
    const typed = ` ${code.slice(0, 3)} - ${code.slice(3)} `;
    expect((await browser.send('sign-in', { code: typed })).status).toBe(303);
  });

  test('expires after five minutes', async () => {
    const { email } = await newUser();
    const { browser } = await requestSignInCode(email);
    const code = await codeSentTo(email);
    pass(300_000);
    expect((await browser.send('sign-in', { code })).status).toBe(400);
  });

  test('signs in once under concurrent tries', async () => {
    const { email } = await newUser();
    const { browser } = await requestSignInCode(email);
    const code = await codeSentTo(email);
    const fields = formWith(browser.page?.text ?? '', 'sign-in');
    const { cookie } = browser;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => {
        const tab = new Browser();
        tab.cookie = cookie;
        return tab.post({ ...fields, step: 'sign-in', code });
      }),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
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
    expect((await call('devices.verify', verification(account, code))).status).toBe(400);
    if (deviceCode !== code) {
      expect((await browser.send('sign-in', { code: deviceCode })).status).toBe(400);
    }
    expect((await call('devices.verify', verification(account, deviceCode))).status).toBe(200);
  });

  test('is withdrawn when the mail cannot be sent', async () => {
    const { email } = await newUser();
    const fault = failMail(() => new Error('refused'));
    try {
      const { answer } = await requestSignInCode(email);
      expect([answer.status, answer.body.error]).toEqual([500, 'server_error']);
    } finally {
      fault.restore();
    }
    expect(await mailsTo(email)).toEqual([]);
  });

  test('is sent at most three times a minute to one client, and the page says when to retry', async () => {
    const { email } = await newUser();
    const sourceIp = freshAddress();
    const { browser } = await requestSignInCode(email);
    for (let i = 0; i < 3; i += 1) {
      expect((await browser.send('resend', {}, { sourceIp })).status).toBe(200);
    }
    const refused = await browser.send('resend', {}, { sourceIp });
    expect([refused.status, headingOf(refused.text)]).toEqual([429, 'Check your mail']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    pass(Number(refused.headers['retry-after']) * 1_000);
    expect((await browser.send('resend', {}, { sourceIp })).status).toBe(200);
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
      const query = await newQuery();
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
    const answer = await browser.send('sign-in', { code });
    expect([answer.status, headingOf(answer.text)]).toEqual([403, 'You cannot sign in with this address']);
  });

  test('is reported when it is malformed', async () => {
    for (const email of ['', 'nobody', 'a@b', 'a@example.com\r\nBcc: b@example.com']) {
      const { answer } = await requestSignInCode(email);
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(/aria-invalid="true" aria-describedby="email-error email-hint"/);
    }
  });
});

describe('the session', () => {
  test('without its cookie restarts the flow with a notice', async () => {
    const { browser, query } = await newGrant();
    browser.cookie = undefined;
    await browser.open(query);
    const fields = formWith(browser.page?.text ?? '', 'send');
    browser.cookie = undefined;
    const answer = await browser.post({ ...fields, step: 'allow', ticket: 'A'.repeat(22) });
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      `consent?${new URLSearchParams(query)}&notice=expired`,
    ]);
    expect((await browser.open({ ...query, notice: 'expired' })).text).toContain('has run out');
  });

  test('refuses a form with the token of another session, a forged token or none', async () => {
    const query = await newQuery();
    const [own, foreign] = await Promise.all(
      [await newUser(), await newUser()].map(({ email }) => signedInBrowser(query, email)),
    );
    const good = formWith(own?.page?.text ?? '', 'allow');
    const theirs = formWith(foreign?.page?.text ?? '', 'allow').form ?? '';
    for (const form of [theirs, '', 'A'.repeat(43), `${good.form}x`, good.form?.slice(1) ?? '']) {
      for (const step of ['send', 'resend', 'sign-in', 'allow', 'deny', 'switch']) {
        const answer = await own?.post({ ...good, form, step, email: 'a@example.com' });
        expect([answer?.status, answer?.headers.location]).toEqual([403, undefined]);
      }
    }
  });

  test('changes its token at the sign-in, so that a planted token is worthless', async () => {
    const { email } = await newUser();
    const { query, browser } = await requestSignInCode(email);
    const planted = browser.cookie;
    await browser.send('sign-in', { code: await codeSentTo(email) });
    expect(browser.cookie).not.toBe(planted);
    const attacker = new Browser();
    attacker.cookie = planted;
    expect(headingOf((await attacker.open(query)).text)).toBe('Sign in to continue');
  });

  test('is ignored when there are two cookies with its name', async () => {
    const browser = await signedInBrowser(await newQuery(), (await newUser()).email);
    browser.cookie = `${browser.cookie}; ${browser.cookie?.split('=')[0]}=${'A'.repeat(22)}`;
    expect(answeredNotice(await browser.send('allow'))).toBe('expired');
  });

  test('ends after 15 minutes', async () => {
    const query = await newQuery();
    const browser = await signedInBrowser(query, (await newUser()).email);
    pass(899_000);
    expect(headingOf((await browser.open(query)).text)).toBe('Allow');
    pass(2_000);
    expect(answeredNotice(await browser.send('allow'))).toBe('expired');
    expect(headingOf((await browser.open(query)).text)).toBe('Sign in to continue');
  });

  test('ends when the user is suspended or has another address', async () => {
    for (const [name, value] of [
      ['status', 'suspended'],
      ['email', 'other@example.com'],
    ]) {
      const { userId, email } = await newUser();
      const browser = await signedInBrowser(await newQuery(), email);
      await updateItem(keys.user(userId), {
        UpdateExpression: 'SET #name = :value',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#name': name ?? '' },
        ExpressionAttributeValues: { ':value': value },
      });
      expect(answeredNotice(await browser.send('allow'))).toBe('expired');
    }
  });

  test('ends when the user switches to another account', async () => {
    const query = await newQuery();
    const browser = await signedInBrowser(query, (await newUser()).email);
    const before = browser.cookie;
    expect((await browser.send('switch')).status).toBe(303);
    expect(browser.cookie).not.toBe(before);
    expect(headingOf((await browser.open(query)).text)).toBe('Sign in to continue');
    const stale = new Browser();
    stale.cookie = before;
    expect(headingOf((await stale.open(query)).text)).toBe('Sign in to continue');
  });

  const answeredNotice = ({ headers }: { headers: Record<string, string> }) =>
    new URLSearchParams(headers.location?.split('?')[1]).get('notice');
});

describe('the consent', () => {
  test('submitted concurrently yields one code', async () => {
    const browser = await signedInBrowser(await newQuery(), (await newUser()).email);
    const fields = { ...formWith(browser.page?.text ?? '', 'allow'), step: 'allow' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.post(fields)));
    expect(new Set(answers.map((answer) => redirectParameters(answer).code)).size).toBe(1);
  });

  test('without PKCE yields one code for each form', async () => {
    const tenant = await newTenant({ pkceOptional: true });
    const query = authorization(tenant, '', { code_challenge: undefined, code_challenge_method: undefined });
    const browser = await signedInBrowser(query, (await newUser()).email);
    const fields = { ...formWith(browser.page?.text ?? '', 'allow'), step: 'allow' };
    const again = { ...formWith((await browser.open(query)).text, 'allow'), step: 'allow' };
    const first = redirectParameters(await browser.post(fields)).code;
    expect(redirectParameters(await browser.post(fields)).code).toBe(first);
    expect(redirectParameters(await browser.post(again)).code).not.toBe(first);
    const { ticket: _, ...without } = fields as Record<string, string>;
    expect((await browser.post({ ...without, step: 'allow' })).status).toBe(400);
  });

  test('shown again by the back button yields no second code', async () => {
    const { browser, query, code } = await newGrant();
    await browser.open(query);
    expect(redirectParameters(await browser.send('allow')).code).toBe(code);
  });

  test('submitted again after its code was used or has expired yields none', async () => {
    for (const isUsed of [true, false]) {
      const tenant = await newTenant();
      const { email } = await newUser();
      const pkce = newPkce();
      const browser = await signedInBrowser(authorization(tenant, pkce.challenge), email);
      const fields = { ...formWith(browser.page?.text ?? '', 'allow'), step: 'allow' };
      const { code = '' } = redirectParameters(await browser.post(fields));
      const redemption = { grant_type: 'authorization_code', code, code_verifier: pkce.verifier };
      if (isUsed) {
        const { status } = await requestTokens(tenant, { ...redemption, redirect_uri: tenant.redirectUri });
        expect(status).toBe(200);
      } else {
        pass(61_000);
      }
      const late = await browser.post(fields);
      expect([late.status, late.headers.location, headingOf(late.text)]).toEqual([
        409,
        undefined,
        'Already redirectParameters',
      ]);
    }
  });

  test('with other parameters than shown yields another code, for these parameters', async () => {
    const browser = await signedInBrowser(await newQuery(), (await newUser()).email);
    const fields = { ...formWith(browser.page?.text ?? '', 'allow'), step: 'allow' };
    const first = redirectParameters(await browser.post(fields)).code;
    const second = await browser.post({ ...fields, scope: 'profile' });
    expect(redirectParameters(second).code).not.toBe(first);
    expect(redirectParameters(await browser.post({ ...fields, scope: 'nonsense' })).error).toBe(
      'invalid_scope',
    );
  });

  test.each(['', 'nonsense', '__proto__', 'constructor'])('with the step %j has no effect', async (step) => {
    const browser = await signedInBrowser(await newQuery(), (await newUser()).email);
    const fields = formWith(browser.page?.text ?? '', 'allow');
    expect((await browser.post({ ...fields, step })).status).toBe(400);
  });
});
