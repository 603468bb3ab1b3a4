import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { consolePageKb } from '../../../bench/budgets.ts';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { enter, focused, tabTo } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';

describe.skipIf(!hasChromium)('customers in the console in Chromium (skipped where there is none)', () => {
  let pages: PagesStack;
  let page: Page;

  beforeAll(async () => {
    pages = await startPagesStack('customers-owner');
  });
  afterEach(() => pages?.browser.endTest());
  afterAll(() => pages?.stop());

  /** The page of the console of a person who has signed in. */
  async function signIn(javaScript: boolean): Promise<void> {
    const { operatorKey } = await pages.world.send('GET', '/_local/demo');
    page = await pages.browser.newPage({ javaScript });
    await page.goto(`${pages.world.url}/console`);
    await expect.poll(() => focused(page)).toBe('Operator key');
    await page.keyboard.type(operatorKey);
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Console');
  }

  /** An active subscription of `<externalId>@example.com`. */
  async function newCustomer(externalId: string): Promise<string> {
    const { subscriptionId } = await pages.world.newSubscription(externalId);
    await change('POST', `${subscriptionId}/activate`, {});
    return subscriptionId;
  }

  const change = (method: string, path: string, body: object) =>
    pages.world.send(method, `/api/v1/subscriptions/${path}`, { key: pages.world.application.apiKey, body });

  test.each([true, false])(
    'support answers why a client has no access in three clicks (JavaScript: %s)',
    async (javaScript) => {
      const externalId = `anna-${javaScript}`;
      const id = await newCustomer(externalId);
      await change('POST', id, {});
      await signIn(javaScript);
      await page.getByRole('textbox', { name: 'Search' }).fill(`${externalId}@example.com`);
      let clicks = 0;
      const click = async (role: 'button' | 'link', name: string | RegExp) => {
        await page.getByRole(role, { name }).first().click();
        clicks += 1;
      };
      await click('button', 'Search');
      await click('link', 'Ann Reed');
      await seeHeading(page, 'Ann Reed');
      await click('link', /^SUB-/);
      await seeHeading(page, /^SUB-/);
      const why = /^No access since .+ UTC: it was cancelled\.$/;
      expect(await page.locator('strong').allInnerTexts()).toContainEqual(expect.stringMatching(why));
      expect(clicks).toBeLessThanOrEqual(3);
    },
  );

  test('an operator cancels with the keyboard alone, without JavaScript, and the timeline names them', async () => {
    const externalId = 'bert';
    await newCustomer(externalId);
    await signIn(false);
    await enter(page, 'Customers');
    await seeHeading(page, 'Customers');
    await tabTo(page, 'Search');
    await page.keyboard.type(`${externalId}@example.com`);
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Search');
    await enter(page, 'Ann Reed');
    await seeHeading(page, 'Ann Reed');
    await enter(page, /^SUB-/);
    await seeHeading(page, /^SUB-/);
    await enter(page, 'Cancel immediately');
    await tabTo(page, 'Reason');
    await page.keyboard.type('Anna asked for it');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('status').innerText()).toBe('The subscription is cancelled.');
    const rows = await page.getByRole('row').allInnerTexts();
    expect(rows).toContainEqual(expect.stringMatching(/^cancel\s.*Anna asked for it/s));
    await page.reload();
    await seeHeading(page, /^SUB-/);
    expect(await page.getByText('No access since').count()).toBe(1);
  });

  test('a wrong entry gets an answer that says what is possible, and each heading of a form is 44 px high', async () => {
    await newCustomer('dora');
    await signIn(true);
    await page.goto(`${pages.world.url}/console/search?q=dora%40example.com`);
    await page.getByRole('link', { name: 'Ann Reed' }).click();
    await page.getByRole('link', { name: /^SUB-/ }).click();
    await seeHeading(page, /^SUB-/);
    for (const heading of await page.locator('summary').all())
      expect((await heading.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.getByText('Extend', { exact: true }).first().click();
    await page.getByRole('textbox', { name: /^Days after/ }).fill('999');
    await page.getByRole('textbox', { name: 'Reason' }).fill('A gift');
    await page.getByRole('button', { name: 'Extend' }).click();
    await seeHeading(page, 'Nothing was changed');
    expect(await page.getByRole('alert').innerText()).toMatch(/^An entry is not possible/);
    await expectAccessibleEverywhere(page);
  });

  test('each page is one request within its budget, and accessible in each width and scheme', async () => {
    const id = await newCustomer('carla');
    for (let n = 0; n < 16; n += 1)
      for (const autoRenew of [false, true])
        await change('PATCH', id, { autoRenew, reason: `A reason of the seller, number ${n}` });
    await signIn(true);
    await page.goto(`${pages.world.url}/console/search?q=carla%40example.com`);
    const client = await page.getByRole('link', { name: 'Ann Reed' }).getAttribute('href');
    await page.getByRole('link', { name: 'Ann Reed' }).click();
    await page.getByRole('link', { name: /^SUB-/ }).click();
    await seeHeading(page, /^SUB-/);
    const own = page.url();
    const [, applicationId = ''] = /customers\/(app_\w+)/.exec(own) ?? [];
    const paths = [
      own,
      new URL(client ?? '', `${pages.world.url}/console/search`).href,
      `${pages.world.url}/console/customers`,
      `${pages.world.url}/console/customers?application=${applicationId}`,
    ];
    for (const path of paths) {
      const { requests, bytes } = await weightOf(page, path);
      expect(requests, path).toBe(1);
      expect(bytes, path).toBeLessThanOrEqual(consolePageKb * 1_024);
      for (const action of await page.locator('summary').all()) await action.click();
      await expectAccessibleEverywhere(page);
    }
  });
});
