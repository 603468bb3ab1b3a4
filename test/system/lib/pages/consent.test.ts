import type { Page } from 'playwright-core';
import { enter, expectAccessible, focused, seeHeading } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { advance } from '../../../support/browser/clock.ts';
import { startPages } from '../../../support/browser/stack.ts';

/** Beyond the lifetime of a session. */
const overASession = 901;
/** As a person pastes a code: with full-width digits between blanks that are not seen. */
const asPasted = (code: string) =>
  [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('\u200B\u00A0');

describe.skipIf(!hasChromium)('the consent page in Chromium (skipped where there is none)', () => {
  const pages = startPages('consenting-user');
  let page: Page;

  function consentUrl(more: Record<string, string> = {}): string {
    const url = new URL(pages.world.consentUrl);
    for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
    return url.href;
  }
  const seeQuestion = () => seeHeading(page, 'Allow Northwind Notes to act for you?');

  async function signIn(): Promise<void> {
    await pages.letSessionsEnd();
    await pages.askForCode(page);
    await pages.enterCode(page);
    await seeQuestion();
  }

  const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const scopes = () => page.getByRole('heading', { level: 2 }).allInnerTexts();
  const redirectParameters = async () => {
    await seeHeading(page, 'Thank you');
    return Object.fromEntries(new URL(page.url()).searchParams);
  };

  test('a user mistypes the mailed code, pastes it, sees the scopes, and allows them, with the keyboard alone, without JavaScript', async () => {
    await pages.letSessionsEnd();
    page = await pages.open(consentUrl(), { javaScript: false });
    await seeHeading(page, 'Sign in to continue');
    await pages.askForCode(page);
    await pages.enterCode(page, (right) => (right === '000000' ? '000001' : '000000'));
    await page.locator('#code-error').waitFor();
    expect(await focused(page)).toBe('6-digit code');
    const field = page.getByRole('textbox', { name: '6-digit code' });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = await Promise.all(described.map((id) => page.locator(`#${id}`).innerText()));
    expect(texts).toEqual([expect.stringMatching(/wrong/)]);
    await expectAccessible(page);
    await pages.enterCode(page, asPasted);
    await seeQuestion();
    await expectAccessible(page);
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

  test('a double click on Allow after a reload yields one code', async () => {
    page = await pages.open(consentUrl());
    await signIn();
    await page.reload();
    await seeQuestion();
    await page.getByRole('button', { name: 'Allow', exact: true }).dblclick();
    const { code } = await redirectParameters();
    expect(code).toMatch(/^vac_/);
    await page.goBack();
    await click('Allow');
    expect((await redirectParameters()).code).toBe(code);
  });

  test('a session that has run out leads to a new sign-in, says so, and keeps the request', async () => {
    page = await pages.open(consentUrl({ scope: 'profile' }));
    await signIn();
    await advance(pages.world.url, overASession);
    await click('Allow');
    await seeHeading(page, 'Sign in to continue');
    expect(await page.getByRole('alert').innerText()).toMatch(/Your sign-in has run out/);
    await signIn();
    expect(await scopes()).toEqual(['See your links and accounts']);
    await page.goto(consentUrl());
    await seeQuestion();
    await click('Switch account');
    await seeHeading(page, 'Sign in to continue');
  });

  test('another page cannot frame it', async () => {
    pages.browser.expectProblem(/frame-ancestors|X-Frame-Options/);
    pages.browser.expectProblem(/^request to another origin: .*\/oauth\/authorize\/consent/);
    page = await pages.open(`${pages.world.site}/frame?of=${encodeURIComponent(consentUrl())}`);
    await seeHeading(page, 'Frame');
    const [frame, ...others] = page.mainFrame().childFrames();
    expect([frame?.url(), others]).toEqual([expect.stringMatching(/^chrome-error:/), []]);
  });

  test('an invalid request shows a page without a form or link', async () => {
    page = await pages.open(consentUrl({ redirect_uri: 'https://evil.example/' }));
    await seeHeading(page, 'This request cannot be used');
    // Apart from the link that the local stack adds.
    expect(await page.locator('form, a:not(.local-stack a)').count()).toBe(0);
    await expectAccessible(page);
  });
});
