import { enter, expectAccessible, seeHeading, tabTo } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { startPages } from '../../../support/browser/stack.ts';

describe.skipIf(!hasChromium)('customers in the console in Chromium (skipped where there is none)', () => {
  const pages = startPages('customers-owner');

  test('an operator cancels with the keyboard alone, corrects an entry, and three clicks answer why a client has no access, without JavaScript', async () => {
    const { subscriptionId } = await pages.world.newSubscription('bert');
    await pages.api('POST', `/subscriptions/${subscriptionId}/activate`);
    const page = await pages.openConsole('/customers', { javaScript: false });
    await seeHeading(page, 'Customers');
    await tabTo(page, 'Search');
    await page.keyboard.type('bert@example.com');
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Search');
    await enter(page, 'Ann Reed');
    await seeHeading(page, 'Ann Reed');
    await expectAccessible(page);
    await enter(page, /^SUB-/);
    await seeHeading(page, /^SUB-/);
    for (const heading of await page.locator('summary').all())
      expect((await heading.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    const own = page.url();

    await page.getByText('Extend', { exact: true }).first().click();
    const form = page.locator('details[open]');
    await form.getByLabel(/^End date/).fill('2040-01-01T00:00:00');
    await form.getByLabel('Reason').fill('A gift');
    await form.getByRole('button', { name: 'Extend' }).click();
    await seeHeading(page, 'Extend');
    expect(await page.getByRole('alert').first().innerText()).toMatch(/^An entry is not possible/);
    await expectAccessible(page);

    await page.goto(own);
    await enter(page, 'Cancel immediately');
    await tabTo(page, 'Reason');
    await page.keyboard.type('Bert asked for it');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('status').innerText()).toBe('The subscription is cancelled.');
    const rows = await page.getByRole('row').allInnerTexts();
    expect(rows).toContainEqual(expect.stringMatching(/^cancel\s.*Bert asked for it/s));

    await page.goto(`${pages.world.url}/console`);
    await page.getByRole('textbox', { name: 'Search' }).fill('bert@example.com');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Ann Reed' }).click();
    await page.getByRole('link', { name: /^SUB-/ }).click();
    await seeHeading(page, /^SUB-/);
    const why = /^No access since .+ UTC: it was cancelled\.$/;
    expect(await page.locator('strong').allInnerTexts()).toContainEqual(expect.stringMatching(why));
  });
});
