import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pages as budgets } from '../../../bench/budgets.ts';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { enter, focused } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';

describe.skipIf(!hasChromium)('the console in Chromium (skipped where there is none)', () => {
  let pages: PagesStack;
  let page: Page;

  beforeAll(async () => {
    pages = await startPagesStack('console-owner');
  });
  afterEach(() => pages?.browser.endTest());
  afterAll(() => pages?.stop());

  const consoleUrl = (path = '') => `${pages.world.url}/console${path}`;

  async function signIn(): Promise<void> {
    const { operatorKey } = await pages.world.send('GET', '/_local/demo');
    await expect.poll(() => focused(page)).toBe('Operator key');
    await page.keyboard.type(operatorKey);
    await page.keyboard.press('Enter');
  }

  test('an operator signs in, searches and signs out with the keyboard alone, without JavaScript', async () => {
    page = await pages.browser.newPage({ javaScript: false });
    await page.goto(consoleUrl('/search?q=console-owner'));
    await seeHeading(page, 'Sign in to the console');
    await signIn();
    await seeHeading(page, 'Search');
    expect(await page.getByRole('row').allInnerTexts()).toContainEqual(expect.stringMatching(/User/));
    await enter(page, 'Console');
    await seeHeading(page, 'Console');
    await enter(page, 'Sign out');
    await seeHeading(page, 'Sign in to the console');
    await page.goto(consoleUrl());
    await seeHeading(page, 'Sign in to the console');
  });

  test('a wrong key is announced, and the right one leads to the page that was asked for', async () => {
    page = await pages.browser.newPage();
    await page.goto(consoleUrl('/search?q=a'));
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/The key is not valid/);
    await expectAccessibleEverywhere(page);
    await signIn();
    await seeHeading(page, 'Search');
    expect(page.url()).toBe(consoleUrl('/search?q=a'));
  });

  test('the button of the local stack signs in', async () => {
    page = await pages.browser.newPage();
    await page.goto(`${pages.world.url}/_local/console`);
    await expectAccessibleEverywhere(page);
    await page.getByRole('button', { name: 'Sign in as the demo operator' }).click();
    await seeHeading(page, 'Console');
  });

  test('each page is one request within its budget, and accessible in each width and scheme', async () => {
    page = await pages.browser.newPage();
    const budget = budgets['/console/sign-in'];
    const weigh = async (path: string) => {
      const { requests, bytes } = await weightOf(page, consoleUrl(path));
      expect(requests).toBe(budget.requests);
      expect(bytes).toBeLessThanOrEqual(budget.kb * 1_024);
      await expectAccessibleEverywhere(page);
    };
    await weigh('/sign-in');
    await signIn();
    await seeHeading(page, 'Console');
    for (const path of ['', '/search?q=console-owner', '/search?q=a&application=b']) await weigh(path);
  });
});
