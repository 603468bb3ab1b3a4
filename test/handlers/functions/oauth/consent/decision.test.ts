import { afterEach, describe, expect, test, vi } from 'vitest';
import { codeSentTo } from '../../../../support/mail/mailbox.ts';
import { headingOf, newAuthorization, requestSignInCode } from '../../../../support/oauth/sign-in.ts';
import { formWith } from '../../../../support/samples/forms.ts';
import {
  authorization,
  Browser,
  issuer,
  newPkce,
  redirectParameters,
  requestTokens,
  signedInBrowser,
} from '../../../../support/samples/oauth.ts';
import { newTenant, newUser } from '../../../../support/tenants.ts';

afterEach(() => vi.useRealTimers());

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

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
  expect(redirectParameters(browser.page ?? question)).toEqual({
    code: expect.stringMatching(/^vac_[\w-]{43}$/),
    state: 'state-1',
    iss: issuer,
  });
});

test('a denial redirects with access_denied, before and after the sign-in', async () => {
  const query = await newAuthorization();
  const browser = new Browser();
  await browser.open(query);
  const denied = { error: 'access_denied', state: 'state-1', iss: issuer };
  expect(redirectParameters(await browser.send('deny'))).toMatchObject(denied);
  const later = await signedInBrowser(query, (await newUser()).email);
  expect(redirectParameters(await later.send('deny'))).toMatchObject(denied);
});

test('without a scope the page shows the least privileged one, and it warns of dangerous scopes', async () => {
  const { email } = await newUser();
  const least = await signedInBrowser(await newAuthorization({ scope: undefined }), email);
  expect(least.page?.text.match(/<h2>[^<]*/g)).toEqual(['<h2>See your links and accounts']);
  const most = await signedInBrowser(
    await newAuthorization({ scope: 'vault profile trust_links:write' }),
    email,
  );
  expect(most.page?.text.match(/<h2>/g)).toHaveLength(3);
  expect(most.page?.text).toContain('Careful:');
});

describe('the consent', () => {
  test('submitted concurrently yields one code', async () => {
    const browser = await signedInBrowser(await newAuthorization(), (await newUser()).email);
    const fields = { ...formWith(browser.page?.text ?? '', 'allow'), step: 'allow' };
    const responses = await Promise.all(Array.from({ length: 5 }, () => browser.post(fields)));
    expect(new Set(responses.map((response) => redirectParameters(response).code)).size).toBe(1);
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
});
