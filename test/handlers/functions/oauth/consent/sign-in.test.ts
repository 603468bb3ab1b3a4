import { freshAddress, newTenant, newUser } from '../../../../support/call.ts';
import { countCalls } from '../../../../support/faults.ts';
import { codeSentTo, mailsTo } from '../../../../support/mail/mailbox.ts';
import { headingOf, newAuthorization, requestSignInCode } from '../../../../support/oauth/sign-in.ts';
import { formWith } from '../../../../support/samples/forms.ts';
import * as oauth from '../../../../support/samples/oauth.ts';

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('a sign-in code', () => {
  test('starts one session under concurrent tries, and a repeat within ten seconds leads to it', async () => {
    // The clock stands still.
    advance(0);
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

  test('works with the separators and the digits with which it was pasted', async () => {
    const { email } = await newUser();
    const { browser } = await requestSignInCode(email);
    const code = await codeSentTo(email);
    const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('\u2009');
    expect((await browser.send('sign-in', { code: `\u200B${wide}\u00A0` })).status).toBe(303);
  });

  test('works only in the browser that requested it', async () => {
    const { email } = await newUser();
    const { query } = await requestSignInCode(email);
    const code = await codeSentTo(email);
    const other = new oauth.Browser();
    await other.open(query);
    const fields = formWith(other.page?.text ?? '', 'send');
    expect((await other.post({ ...fields, step: 'sign-in', email, code })).status).toBe(400);
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
      const browser = new oauth.Browser();
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

test('the application gets a code, its state and the issuer after sign-in and consent', async () => {
  const { email } = await newUser();
  const { query, browser, response } = await requestSignInCode(email.toUpperCase());
  expect([response.status, headingOf(response.text)]).toEqual([200, 'Check your mail']);
  expect(response.text).toMatch(/autocomplete="one-time-code"/);
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
  expect(oauth.redirectParameters(browser.page ?? question)).toEqual({
    code: expect.stringMatching(/^vac_[\w-]{43}$/),
    state: 'state-1',
    iss: oauth.issuer,
  });
});

test('a denial redirects with access_denied, before and after the sign-in', async () => {
  const query = await newAuthorization();
  const browser = new oauth.Browser();
  await browser.open(query);
  const denied = { error: 'access_denied', state: 'state-1', iss: oauth.issuer };
  expect(oauth.redirectParameters(await browser.send('deny'))).toMatchObject(denied);
  const later = await oauth.signedInBrowser(query, (await newUser()).email);
  expect(oauth.redirectParameters(await later.send('deny'))).toMatchObject(denied);
});

test('without a scope the page shows the least privileged one, and it warns of dangerous scopes', async () => {
  const { email } = await newUser();
  const least = await oauth.signedInBrowser(await newAuthorization({ scope: undefined }), email);
  expect(least.page?.text.match(/<h2>[^<]*/g)).toEqual(['<h2>See your links and accounts']);
  const most = await oauth.signedInBrowser(
    await newAuthorization({ scope: 'vault profile trust_links:write' }),
    email,
  );
  expect(most.page?.text.match(/<h2>/g)).toHaveLength(3);
  expect(most.page?.text).toContain('Careful:');
});

test('the consent submitted again after its code was used or has expired yields none', async () => {
  for (const isUsed of [true, false]) {
    const tenant = await newTenant();
    const { email } = await newUser();
    const pkce = oauth.newPkce();
    const browser = await oauth.signedInBrowser(oauth.authorization(tenant, pkce.challenge), email);
    const fields = { ...formWith(browser.page?.text ?? '', 'allow'), step: 'allow' };
    const { code = '' } = oauth.redirectParameters(await browser.post(fields));
    const redemption = { grant_type: 'authorization_code', code, code_verifier: pkce.verifier };
    if (isUsed) {
      const { status } = await oauth.requestTokens(tenant, {
        ...redemption,
        redirect_uri: tenant.redirectUri,
      });
      expect(status).toBe(200);
    } else {
      advance(61_000);
    }
    const late = await browser.post(fields);
    expect([late.status, late.headers.location, headingOf(late.text)]).toEqual([
      409,
      undefined,
      'Already answered',
    ]);
  }
});

describe('the session', () => {
  test('without its cookie restarts the flow with a notice', async () => {
    const { browser, query } = await oauth.newGrant();
    browser.cookie = undefined;
    await browser.open(query);
    const fields = formWith(browser.page?.text ?? '', 'send');
    browser.cookie = undefined;
    const response = await browser.post({ ...fields, step: 'allow', ticket: 'A'.repeat(22) });
    expect([response.status, response.headers.location]).toEqual([
      303,
      `consent?${new URLSearchParams(query)}&notice=expired`,
    ]);
    expect((await browser.open({ ...query, notice: 'expired' })).text).toContain('has run out');
  });

  test('refuses a form with the token of another session, a forged token or none', async () => {
    const query = await newAuthorization();
    const [own, foreign] = await Promise.all(
      [await newUser(), await newUser()].map(({ email }) => oauth.signedInBrowser(query, email)),
    );
    const good = formWith(own?.page?.text ?? '', 'allow');
    const theirs = formWith(foreign?.page?.text ?? '', 'allow').form ?? '';
    for (const form of [theirs, '', 'A'.repeat(43), `${good.form}x`, good.form?.slice(1) ?? '']) {
      for (const step of ['send', 'resend', 'allow', 'deny', 'switch']) {
        const response = await own?.post({ ...good, form, step, email: 'a@example.com' });
        expect([response?.status, response?.headers.location]).toEqual([403, undefined]);
      }
      // A person who is signed in gets the page: a double click submits the code again.
      const again = await own?.post({ ...good, form, step: 'sign-in', email: 'a@example.com' });
      expect([again?.headers.location, again?.cookies]).toEqual([
        `consent?${new URLSearchParams(query)}`,
        [],
      ]);
    }
  });

  test('changes its token at the sign-in, so that a planted token is worthless', async () => {
    const { email } = await newUser();
    const { query, browser } = await requestSignInCode(email);
    const planted = browser.cookie;
    await browser.send('sign-in', { code: await codeSentTo(email) });
    expect(browser.cookie).not.toBe(planted);
    const attacker = new oauth.Browser();
    attacker.cookie = planted;
    expect(headingOf((await attacker.open(query)).text)).toBe('Sign in to continue');
  });

  test('ends after 15 minutes', async () => {
    const query = await newAuthorization();
    const browser = await oauth.signedInBrowser(query, (await newUser()).email);
    advance(899_000);
    expect(headingOf((await browser.open(query)).text)).toBe('Allow');
    advance(2_000);
    expect(answeredNotice(await browser.send('allow'))).toBe('expired');
    expect(headingOf((await browser.open(query)).text)).toBe('Sign in to continue');
  });

  test('ends when the user switches to another account', async () => {
    const query = await newAuthorization();
    const browser = await oauth.signedInBrowser(query, (await newUser()).email);
    const before = browser.cookie;
    const fields = { ...formWith(browser.page?.text ?? '', 'switch'), step: 'switch' };
    expect((await browser.post(fields)).status).toBe(303);
    expect(browser.cookie).not.toBe(before);
    // The second click of a double click: the page does not say that nothing was done.
    const repeated = await browser.post(fields);
    expect([repeated.status, repeated.headers.location]).toEqual([
      303,
      `consent?${new URLSearchParams(query)}`,
    ]);
    expect(headingOf((await browser.open(query)).text)).toBe('Sign in to continue');
    const stale = new oauth.Browser();
    stale.cookie = before;
    expect(headingOf((await stale.open(query)).text)).toBe('Sign in to continue');
  });

  const answeredNotice = ({ headers }: { headers: Record<string, string> }) =>
    new URLSearchParams(headers.location?.split('?')[1]).get('notice');
});
