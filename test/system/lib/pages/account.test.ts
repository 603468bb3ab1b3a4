import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pages as budgets } from '../../../bench/budgets.ts';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium, type Visitor } from '../../../support/browser/chromium.ts';
import { advance } from '../../../support/browser/clock.ts';
import { enter, focused } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';

/** Beyond the hour in which the codes of a mailbox are counted, and the lifetime of every session. */
const overAnHour = 3_601;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

describe.skipIf(!hasChromium)('the account page in Chromium (skipped where there is none)', () => {
  let pages: PagesStack;
  let page: Page;

  beforeAll(async () => {
    pages = await startPagesStack('account-owner');
  });
  beforeEach(() => advance(pages.world.url, overAnHour));
  afterEach(() => pages?.browser.endTest());
  afterAll(() => pages?.stop());

  const accountUrl = () => `${pages.world.url}/account`;
  const unfold = (name: RegExp) => page.locator('summary', { hasText: name }).first().click();
  const removal = () => page.locator('details[open]').getByRole('button', { name: 'Remove this device' });
  const status = () => page.getByRole('status').innerText();
  const devices = () => page.locator('section[aria-labelledby=devices] h3').allInnerTexts();

  /** Verifies devices, and lets the time pass until the next code may be sent. */
  async function withDevices(...userAgents: string[]): Promise<void> {
    for (const userAgent of userAgents) {
      await pages.world.newDevice(userAgent);
      await advance(pages.world.url, overAnHour);
    }
  }

  /** Types into the field that the page has focused. */
  async function typeInto(label: string, text: string): Promise<void> {
    await expect.poll(() => focused(page)).toBe(label);
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }

  async function askForCode(): Promise<void> {
    await typeInto('E-mail address', pages.world.user.email);
    await seeHeading(page, 'Check your mail');
  }

  async function enterCode(): Promise<void> {
    await typeInto('6-digit code', await pages.world.mailedCode());
  }

  /** Signs in with the keyboard alone: each page focuses its field. */
  async function signIn(visitor: Visitor = {}): Promise<void> {
    page = await pages.browser.newPage(visitor);
    await page.goto(accountUrl());
    await askForCode();
    await enterCode();
    await page.getByText('Signed in as').waitFor();
  }

  test('a person removes a device with the keyboard alone, without JavaScript, and then all others', async () => {
    await withDevices(firefox, safari, 'Other/1.0');
    await signIn({ javaScript: false });
    expect(await devices()).toContainEqual(expect.stringMatching(/Firefox/));
    await enter(page, /^Remove.*Firefox/);
    await enter(page, 'Remove this device');
    await expect.poll(status).toMatch(/The device was removed/);
    expect(await devices()).not.toContainEqual(expect.stringMatching(/Firefox/));
    await unfold(/^Remove.*Safari/);
    await page.locator('details[open]').getByRole('button', { name: 'Remove all other devices' }).click();
    await expect.poll(status).toMatch(/All other devices were removed/);
    expect(await devices()).toEqual([expect.stringMatching(/Safari/)]);
  });

  test('a double click removes one device, and going back removes no other', async () => {
    await withDevices(firefox, safari);
    await signIn();
    const before = await devices();
    await unfold(/^Remove.*Firefox/);
    await removal().dblclick();
    await expect.poll(status).toMatch(/The device was removed/);
    const after = before.filter((name) => !name.includes('Firefox'));
    expect(await devices()).toEqual(after);
    await page.goBack();
    await page.reload();
    expect(await devices()).toEqual(after);
  });

  test('a session that has run out removes nothing, and says so', async () => {
    await withDevices(firefox);
    await signIn();
    const before = await devices();
    await unfold(/^Remove.*Firefox/);
    await advance(pages.world.url, overAnHour);
    await removal().click();
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/Nothing was changed/);
    await askForCode();
    await enterCode();
    await page.getByText('Signed in as').waitFor();
    expect(await devices()).toEqual(before);
  });

  test('it is one request, within the budget of its bytes, and each page is accessible and fits in each width and scheme', async () => {
    await withDevices(firefox);
    page = await pages.browser.newPage();
    const { requests, bytes } = await weightOf(page, accountUrl());
    expect(requests).toBe(1);
    expect(bytes).toBeLessThanOrEqual(budgets['/account'].kb * 1_024);
    await expectAccessibleEverywhere(page);
    await askForCode();
    await expectAccessibleEverywhere(page);
    await enterCode();
    await page.getByText('Signed in as').waitFor();
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    await expectAccessibleEverywhere(page);
  });
});
