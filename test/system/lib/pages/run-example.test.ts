import { expectAccessible } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { startPages } from '../../../support/browser/stack.ts';

describe.skipIf(!hasChromium)('the reference of a local stack (skipped without Chromium)', () => {
  const pages = startPages('example-runner');

  test('it has the keys of the demo data in its examples, and runs one', async () => {
    const page = await pages.open('/docs/plans', { width: 1_200 });
    const article = page.locator('#listPlans');
    await expect.poll(() => article.locator('pre.curl').textContent()).toContain('Bearer vak_');
    await expect.poll(() => article.locator('pre.curl').textContent()).not.toContain('<');
    await article.getByRole('button', { name: 'Run' }).click();
    await expect
      .poll(() => article.locator('.code .output').textContent())
      .toMatch(/^200 OK\n\{\n {2}"plans"/);
    const button = article.getByRole('button', { name: 'Run' });
    await button.press('Enter');
    expect(await button.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false');
    await expectAccessible(page);
  });

  test('an example follows what an earlier one has ended', async () => {
    const page = await pages.open('/docs/webhooks', { width: 1_200 });
    const example = page.locator('#getWebhook pre.curl');
    const run = page.locator('#deleteWebhook').getByRole('button', { name: 'Run' });
    await run.waitFor();
    const ended = await example.textContent();
    await run.click();
    await expect.poll(() => example.textContent()).not.toBe(ended);
    // A click would miss a button that an answer above it moves.
    await page.locator('#getWebhook').getByRole('button', { name: 'Run' }).press('Enter');
    await expect.poll(() => page.locator('#getWebhook .output').textContent()).toMatch(/^200 OK/);
  });
});
