import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pages as budgets } from '../../../bench/budgets.ts';
import { expectAccessible, expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium, type Visitor } from '../../../support/browser/chromium.ts';
import { advance } from '../../../support/browser/clock.ts';
import { enter, focused } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';

/** Beyond the hour in which the codes of a mailbox are counted. */
const overAnHour = 3_601;
/** Beyond the lifetime of a session. */
const overASession = 901;

describe.skipIf(!hasChromium)('the consent page in Chromium (skipped where there is none)', () => {
  let pages: PagesStack;
  let page: Page;

  beforeAll(async () => {
    pages = await startPagesStack('consenting-user');
  });
  beforeEach(() => advance(pages.world.url, overAnHour));
  afterEach(() => pages?.browser.endTest());
  afterAll(() => pages?.stop());

  function consentUrl(more: Record<string, string> = {}): string {
    const url = new URL(pages.world.consentUrl);
    for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
    return url.href;
  }

  async function open(more: Record<string, string> = {}, visitor: Visitor = {}): Promise<void> {
    page = await pages.browser.newPage(visitor);
    await page.goto(consentUrl(more));
  }

  /** Types into the field that the page has focused. */
  async function typeInto(label: string, text: string): Promise<void> {
    await expect.poll(() => focused(page)).toBe(label);
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }

  async function askForCode(): Promise<void> {
    await seeHeading(page, 'Sign in to continue');
    await typeInto('E-mail address', pages.world.user.email);
    await seeHeading(page, 'Check your mail');
  }

  async function enterCode(written = (code: string) => code): Promise<void> {
    await typeInto('6-digit code', written(await pages.world.mailedCode()));
    await seeHeading(page, 'Allow Northwind Notes to act for you?');
  }

  /** Signs in with the keyboard alone: each page focuses its field. */
  async function signIn(more: Record<string, string> = {}, visitor: Visitor = {}): Promise<void> {
    await open(more, visitor);
    await askForCode();
    await enterCode();
  }

  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const scopes = () => page.getByRole('heading', { level: 2 }).allInnerTexts();
  const redirectParameters = async () => {
    await seeHeading(page, 'Thank you');
    return Object.fromEntries(new URL(page.url()).searchParams);
  };

  test('a user signs in with the mailed code, sees the scopes, and allows them, with the keyboard alone; each page is accessible and fits in each width and scheme', async () => {
    await open();
    await seeHeading(page, 'Sign in to continue');
    await expectAccessibleEverywhere(page);
    await askForCode();
    const right = await pages.world.mailedCode();
    await typeInto('6-digit code', right === '000000' ? '000001' : '000000');
    await page.locator('#code-error').waitFor();
    expect(await focused(page)).toBe('6-digit code');
    const field = page.getByRole('textbox', { name: '6-digit code' });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = await Promise.all(described.map((id) => page.locator(`#${id}`).innerText()));
    expect(texts).toEqual([expect.stringMatching(/wrong/)]);
    await expectAccessibleEverywhere(page);
    await enterCode();
    await expectAccessibleEverywhere(page);
    expect(await scopes()).toEqual([
      'See your links and accounts',
      'Manage links in your name',
      'Open your encrypted vault',
    ]);
    await enter(page, 'Allow');
    expect(await redirectParameters()).toEqual({
      code: expect.stringMatching(/^vac_/),
      state: 'x1',
      iss: pages.world.url,
    });
  });

  test('a code is taken as it was pasted, with full-width digits between blanks that are not seen', async () => {
    await open();
    await askForCode();
    await enterCode((code) =>
      [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('\u200B\u00A0'),
    );
  });

  test('a double click on Allow after a reload yields one code', async () => {
    await signIn();
    await page.reload();
    await seeHeading(page, 'Allow Northwind Notes');
    await page.getByRole('button', { name: 'Allow', exact: true }).dblclick();
    const { code } = await redirectParameters();
    expect(code).toMatch(/^vac_/);
    await page.goBack();
    await click('Allow');
    expect((await redirectParameters()).code).toBe(code);
  });

  test('a session that has run out leads to a new sign-in, says so, and keeps the request', async () => {
    await signIn({ scope: 'profile' });
    await advance(pages.world.url, overASession);
    await click('Allow');
    await seeHeading(page, 'Sign in to continue');
    expect(await page.getByRole('alert').innerText()).toMatch(/Your sign-in has run out/);
    await advance(pages.world.url, overAnHour);
    await askForCode();
    await enterCode();
    expect(await scopes()).toEqual(['See your links and accounts']);
    await page.goto(consentUrl());
    await seeHeading(page, 'Allow Northwind Notes');
    await click('Switch account');
    await seeHeading(page, 'Sign in to continue');
  });

  test('another page cannot frame it', async () => {
    pages.browser.expectProblem(/frame-ancestors|X-Frame-Options/);
    pages.browser.expectProblem(/^request to another origin: .*\/oauth\/authorize\/consent/);
    page = await pages.browser.newPage();
    await page.goto(`${pages.framing}?of=${encodeURIComponent(consentUrl())}`);
    await seeHeading(page, 'Frame');
    const [frame, ...others] = page.mainFrame().childFrames();
    expect([frame?.url(), others]).toEqual([expect.stringMatching(/^chrome-error:/), []]);
  });

  test('it is one request, within the budget of its bytes; an invalid request shows a page without a form or link', async () => {
    const { requests, bytes } = await weightOf(await pages.browser.newPage(), consentUrl());
    expect(requests).toBe(1);
    expect(bytes).toBeLessThanOrEqual(budgets['/oauth/authorize/consent'].kb * 1_024);
    await open({ redirect_uri: 'https://evil.example/' });
    await seeHeading(page, 'This request cannot be used');
    // Apart from the link that the local stack adds.
    expect(await page.locator('form, a:not(.local-stack a)').count()).toBe(0);
    await expectAccessible(page);
  });
});
