import { createServer } from 'node:http';
import { type Listening, listen } from '../../../../lib/local/listen.ts';
import { enter, expectAccessible, seeHeading, tabTo } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { startPages } from '../../../support/browser/stack.ts';

describe.skipIf(!hasChromium)('developers in the console in Chromium (skipped where there is none)', () => {
  const pages = startPages('developers-owner');
  let receiver: Listening;
  /** The answer of the receiver. 410 disables a webhook, and its delivery fails for good. */
  let answers = 410;

  beforeAll(async () => {
    const server = createServer((_, response) => response.writeHead(answers).end('<b>gone</b>'));
    receiver = await listen(server, 0);
  });
  afterAll(() => receiver?.close());

  const ownPath = () => `/developers/${pages.world.application.clientId}`;

  test('an operator creates a key, sees its secret once, revokes it, and changes settings with the keyboard, without JavaScript', async () => {
    const page = await pages.openConsole('/developers', { javaScript: false });
    const status = () => page.getByRole('status').innerText();
    await seeHeading(page, 'Developers');
    await page.goto(`${pages.world.url}/console${ownPath()}`);
    await page.locator('summary').filter({ hasText: 'Create a key' }).click();
    const form = page.locator('details[open]');
    await form.getByLabel('Kind').selectOption('api key');
    await form.getByLabel('Reason').fill('The developer asked for it.');
    await form.getByRole('button', { name: 'Create a key' }).click();
    await seeHeading(page, 'Create a key');
    const secret = /vak_[\w-]{22}/.exec(await page.locator('main').innerText())?.[0] ?? '';
    expect(secret).not.toBe('');
    expect(page.url()).not.toContain('vak_');
    await page.reload();
    await expect.poll(() => page.getByRole('alert').first().innerText()).toContain('Nothing was changed');
    expect(await page.content()).toMatch(/key_\w+ was created by the first request/);
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await seeHeading(page, 'Northwind Notes');
    const row = page.getByRole('row').filter({ hasText: secret.slice(0, 8) });
    expect(await row.innerText()).toContain('none in 90 days');
    await row
      .getByText(/^Revoke/)
      .first()
      .click();
    await row.getByLabel('Reason').fill('A test.');
    await row.getByRole('button', { name: /^Revoke/ }).click();
    await expect.poll(status).toBe('The key is revoked.');

    const settings = async () => await page.getByRole('row').allInnerTexts();
    const changeGraceDays = async (days: string) => {
      await tabTo(page, 'Grace days');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(days);
      await page.keyboard.press('Enter');
    };
    await enter(page, 'Change the application');
    await seeHeading(page, 'Change the application');
    await expectAccessible(page);
    await enter(page, 'Dunning');
    await changeGraceDays('900');
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts())
      .toEqual(
        expect.arrayContaining(['An entry is not possible. Nothing was changed.', 'must be at most 365']),
      );
    await expectAccessible(page);
    await changeGraceDays('9');
    await seeHeading(page, 'Change the application');
    const shown = expect.stringMatching(/^settings\.dunning\.graceDays\s+default: 7\s+9$/);
    await expect.poll(settings).toContainEqual(shown);
    await expectAccessible(page);
    await tabTo(page, 'Reason');
    await page.keyboard.type('The developer asked for it.');
    await page.keyboard.press('Enter');
    await expect.poll(status).toBe('The application is changed.');
    expect(await settings()).toContainEqual(expect.stringMatching(/^dunning\.graceDays\s+9\s+7$/));
  });

  test('support sends a failed delivery again, and sees it arrive, without JavaScript', async () => {
    const address = `${receiver.url}/hooks`;
    const { webhook } = await pages.api('POST', '/webhooks', { url: address, types: ['subscription.*'] });
    const path = `/webhooks/${webhook._id}`;
    await pages.api('POST', `${path}/test`);
    await expect.poll(async () => (await pages.api('GET', path)).webhook.active).toBe(false);
    await pages.api('PUT', path, { active: true });
    answers = 200;

    const page = await pages.openConsole(ownPath(), { javaScript: false });
    await page.getByRole('link', { name: address }).click();
    await seeHeading(page, 'Webhook');
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
    expect(await row.innerText()).toMatch(/failed: webhook disabled[\s\S]*410/);
    await row.getByRole('link', { name: /^evt_/ }).click();
    expect(await page.locator('pre').innerText()).toMatch(/^\{"id":"evt_\w+","type":"webhook\.test",/);
    const attempts = await page.getByRole('row').allInnerTexts();
    expect(attempts).toContainEqual(expect.stringContaining('<b>gone</b>'));
    await expectAccessible(page);
    await row.getByText('Retry', { exact: true }).first().click();
    await row.getByLabel('Reason').fill('The receiver is repaired.');
    await row.getByRole('button', { name: /^Retry/ }).click();
    const status = page.getByRole('status');
    await expect.poll(() => status.innerText()).toBe('The delivery is attempted again.');
    const reloaded = async () => {
      await page.reload();
      return await row.innerText();
    };
    await expect.poll(reloaded).toContain('succeeded');
  });
});
