import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pages as budgets } from '../../../bench/budgets.ts';
import { expectAccessible, expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import {
  browserOfWorker,
  hasChromium,
  type TestBrowser,
  type Visitor,
} from '../../../support/browser/chromium.ts';
import { advance } from '../../../support/browser/clock.ts';
import { enter, focused } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import { type OAuthStack, startOAuthStack } from '../../../support/oauth/stack.ts';
import { authorization, newPkce } from '../../../support/samples/oauth.ts';

/** Beyond the hour in which the codes of a mailbox are counted. */
const overAnHour = 3_601;
/** Beyond the lifetime of a session. */
const overASession = 901;

describe.skipIf(!hasChromium)('the consent page in Chromium (skipped where there is none)', () => {
  let stack: OAuthStack;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startOAuthStack(), browserOfWorker()]);
  });
  beforeEach(() => advance(stack.url, overAnHour));
  afterEach(() => browser?.endTest());
  afterAll(() => Promise.all([browser?.close(), stack?.stop()]));

  const consentUrl = (more: Record<string, string> = {}) => {
    const query = authorization(stack.tenant, newPkce().challenge, more);
    return `${stack.url}/oauth/authorize/consent?${new URLSearchParams(query)}`;
  };

  async function open(more: Record<string, string> = {}, visitor: Visitor = {}): Promise<void> {
    page = await browser.newPage(visitor);
    await page.goto(consentUrl(more));
  }

  /** Types into the field that the page has focused. */
  async function typeInto(label: string, text: string): Promise<void> {
    await expect.poll(() => focused(page)).toBe(label);
    await page.keyboard.type(text);
  }

  async function askForCode(): Promise<void> {
    await seeHeading(page, 'Sign in to continue');
    await typeInto('E-mail address', stack.user.email);
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Check your mail');
  }

  async function enterCode(): Promise<void> {
    await typeInto('6-digit code', await stack.mailedCode());
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Allow Example App to act for you?');
  }

  /** Signs in with the keyboard alone: each page focuses its field. */
  async function signIn(more: Record<string, string> = {}, visitor: Visitor = {}): Promise<void> {
    await open(more, visitor);
    await askForCode();
    await enterCode();
  }

  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const redirectParameters = async () => {
    await seeHeading(page, 'Welcome back');
    return Object.fromEntries(new URL(page.url()).searchParams);
  };

  test('a user signs in with the mailed code, sees the scopes, and allows them, with the keyboard alone', async () => {
    await signIn({ scope: 'profile trust_links:write vault' });
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'See your links and accounts',
      'Manage links in your name',
      'Open your encrypted vault',
    ]);
    await enter(page, 'Allow');
    expect(await redirectParameters()).toEqual({
      code: expect.stringMatching(/^vac_/),
      state: 'state-1',
      iss: stack.url,
    });
  });

  test('a user denies the request, and the application receives the error', async () => {
    await signIn();
    await click('Deny');
    const denied = { error: 'access_denied', state: 'state-1', iss: stack.url };
    expect(await redirectParameters()).toMatchObject(denied);
  });

  test('a signed-in user goes straight to the consent form, and can switch accounts', async () => {
    await signIn();
    await page.goto(consentUrl());
    await seeHeading(page, 'Allow Example App');
    await click('Switch account');
    await seeHeading(page, 'Sign in to continue');
  });

  test('allowing again after the back button yields no second code', async () => {
    await signIn();
    await click('Allow');
    const { code } = await redirectParameters();
    await page.goBack();
    await seeHeading(page, 'Allow Example App');
    await click('Allow');
    expect((await redirectParameters()).code).toBe(code);
  });

  test('a double click on Allow after a reload yields one code', async () => {
    await signIn();
    await page.reload();
    await seeHeading(page, 'Allow Example App');
    await page.getByRole('button', { name: 'Allow', exact: true }).dblclick();
    const { code } = await redirectParameters();
    await page.goBack();
    await click('Allow');
    expect((await redirectParameters()).code).toBe(code);
  });

  test('a session that has run out leads to a new sign-in, says so, and keeps the request', async () => {
    await signIn({ scope: 'profile' });
    await advance(stack.url, overASession);
    await click('Allow');
    await seeHeading(page, 'Sign in to continue');
    expect(await page.getByRole('alert').innerText()).toMatch(/Your sign-in has run out/);
    await advance(stack.url, overAnHour);
    await askForCode();
    await enterCode();
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'See your links and accounts',
    ]);
    await click('Allow');
    expect(await redirectParameters()).toHaveProperty('code');
  });

  test('a form that was submitted without a network works after going back', async () => {
    await signIn();
    await page.context().setOffline(true);
    await click('Allow');
    await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
    await page.context().setOffline(false);
    await page.goBack();
    await seeHeading(page, 'Allow Example App');
    await click('Allow');
    expect(await redirectParameters()).toHaveProperty('code');
  });

  test('the flow works without JavaScript', async () => {
    await signIn({}, { javaScript: false });
    await click('Allow');
    expect(await redirectParameters()).toHaveProperty('code');
  });

  test('an error is associated with its field, which has the focus', async () => {
    await open();
    await askForCode();
    const right = await stack.mailedCode();
    await typeInto('6-digit code', right === '000000' ? '000001' : '000000');
    await page.keyboard.press('Enter');
    await page.locator('#code-error').waitFor();
    expect(await focused(page)).toBe('6-digit code');
    const field = page.getByRole('textbox', { name: '6-digit code' });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = await Promise.all(described.map((id) => page.locator(`#${id}`).innerText()));
    expect(texts).toEqual([expect.stringMatching(/wrong/)]);
    await expectAccessible(page);
  });

  test('another page cannot frame it', async () => {
    browser.expectProblem(/frame-ancestors|X-Frame-Options/);
    browser.expectProblem(/^request to another origin: .*\/oauth\/authorize\/consent/);
    page = await browser.newPage();
    await page.goto(`${stack.framing}?of=${encodeURIComponent(consentUrl())}`);
    await seeHeading(page, 'Frame');
    const [frame, ...others] = page.mainFrame().childFrames();
    expect([frame?.url(), others]).toEqual([expect.stringMatching(/^chrome-error:/), []]);
  });

  test('an invalid request shows a page without a form or link', async () => {
    await open({ redirect_uri: 'https://evil.example/' });
    await seeHeading(page, 'This request cannot be used');
    expect(await page.locator('form, a').count()).toBe(0);
    await expectAccessible(page);
  });

  test('each of its pages is accessible and fits in each width and scheme', async () => {
    const examine = () => expectAccessibleEverywhere(page);
    await open({ scope: 'profile trust_links:write vault' });
    await seeHeading(page, 'Sign in to continue');
    await examine();
    await askForCode();
    await examine();
    await enterCode();
    await examine();
  });

  test('it is one request, within the budget of its bytes', async () => {
    const { requests, bytes } = await weightOf(await browser.newPage(), consentUrl());
    expect(requests).toBe(1);
    expect(bytes).toBeLessThanOrEqual(budgets['/oauth/authorize/consent'].kb * 1_024);
  });
});
