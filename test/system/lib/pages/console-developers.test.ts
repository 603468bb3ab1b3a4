import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { type Listening, listen } from '../../../../lib/local/listen.ts';
import { consolePageKb } from '../../../bench/budgets.ts';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { enter, tabTo } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';

describe.skipIf(!hasChromium)('developers in the console in Chromium (skipped where there is none)', () => {
  let pages: PagesStack;
  let page: Page;
  let receiver: Listening;
  /** The answer of the receiver. 410 disables a webhook, and its delivery fails for good. */
  let answers = 410;
  let applicationId: string;

  beforeAll(async () => {
    pages = await startPagesStack('developers-owner');
    applicationId = pages.world.application.clientId;
    receiver = await listen(
      createServer((_, response) => response.writeHead(answers).end('<b>gone</b>')),
      0,
    );
  });
  afterEach(() => pages?.browser.endTest());
  afterAll(async () => {
    await receiver?.close();
    await pages?.stop();
  });

  const consoleUrl = (path = '') => `${pages.world.url}/console${path}`;
  const api = (method: string, path: string, body?: object) =>
    pages.world.send(method, `/api/v1${path}`, {
      key: pages.world.application.apiKey,
      ...defined({ body }),
    });

  async function signIn(javaScript: boolean): Promise<void> {
    page = await pages.browser.newPage({ javaScript });
    page.setDefaultTimeout(20_000);
    const { operatorKey } = await pages.world.send('GET', '/_local/demo');
    await page.goto(consoleUrl());
    await page.getByLabel('Operator key').fill(operatorKey);
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Console');
  }

  const status = () => page.getByRole('status').innerText();

  /** A webhook that is active, with a delivery that has failed for good. */
  async function failedDelivery(): Promise<string> {
    answers = 410;
    const { webhook } = await api('POST', '/webhooks', {
      url: `${receiver.url}/hooks`,
      types: ['subscription.*'],
    });
    const id: string = webhook._id;
    await api('POST', `/webhooks/${id}/test`);
    await expect
      .poll(async () => (await api('GET', `/webhooks/${id}`)).webhook.active, { timeout: 20_000 })
      .toBe(false);
    await api('PUT', `/webhooks/${id}`, { active: true });
    answers = 200;
    return id;
  }

  test('an operator creates a key, sees its secret once, and revokes it, without JavaScript', async () => {
    await signIn(false);
    await page.getByRole('link', { name: 'Developers' }).click();
    await seeHeading(page, 'Developers');
    await page.goto(consoleUrl(`/developers/${applicationId}`));
    await seeHeading(page, 'Northwind Notes');
    await page.getByText('Create a key').click();
    await page.getByLabel('Kind').selectOption('API key');
    await page.getByLabel('Reason').last().fill('The developer asked for it.');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await seeHeading(page, 'The new key');
    const secret = /vak_[\w-]{22}/.exec(await page.locator('main').innerText())?.[0] ?? '';
    expect(secret).not.toBe('');
    expect(page.url()).not.toContain('vak_');
    await page.reload();
    await seeHeading(page, 'This form has created a key already');
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Back to the application' }).click();
    await seeHeading(page, 'Northwind Notes');
    const row = page.getByRole('row').filter({ hasText: secret.slice(0, 8) });
    expect(await row.innerText()).toContain('none in 90 days');
    await row.getByText('Revoke', { exact: true }).click();
    await row.getByLabel('Reason').fill('A test.');
    await row.getByRole('button', { name: /^Revoke/ }).click();
    await expect.poll(status).toMatch(/^The application has no key key_\w+ now\.$/);
  });

  test('an operator changes settings with the keyboard alone, without JavaScript', async () => {
    await signIn(false);
    await page.goto(consoleUrl(`/developers/${applicationId}`));
    await tabTo(page, /^Changes, as a JSON Merge Patch/);
    await page.keyboard.type('{"dunning": {"graceDays": 9');
    await enter(page, 'Show the difference');
    await seeHeading(page, 'An entry is not possible');
    expect(await page.getByRole('alert').innerText()).toContain('settings: is not valid JSON');
    await tabTo(page, /^Changes, as a JSON Merge Patch/);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('}}');
    await enter(page, 'Show the difference');
    await seeHeading(page, 'Change the settings');
    expect(await page.getByRole('row').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^dunning\.graceDays\s+default: 7\s+9$/),
    );
    await tabTo(page, 'Reason');
    await page.keyboard.type('The developer asked for it.');
    await page.keyboard.press('Enter');
    await expect.poll(status).toBe('The settings are as the form says.');
    expect(await page.getByRole('row').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^dunning\.graceDays\s+9\s+7$/),
    );
  });

  test('support sends a failed delivery again, and sees it arrive, without JavaScript', async () => {
    const id = await failedDelivery();
    await signIn(false);
    await page.goto(consoleUrl(`/developers/${applicationId}`));
    await page
      .getByRole('link', { name: `${receiver.url}/hooks` })
      .first()
      .click();
    await seeHeading(page, 'Webhook');
    await page.goto(consoleUrl(`/developers/${applicationId}/webhooks/${id}`));
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
    expect(await row.innerText()).toMatch(/failed: webhook disabled[\s\S]*410/);
    await row.getByRole('link', { name: /^evt_/ }).click();
    expect(await page.locator('pre').innerText()).toMatch(/^\{"id":"evt_\w+","type":"webhook\.test",/);
    expect(await page.getByRole('row').allInnerTexts()).toContainEqual(
      expect.stringContaining('<b>gone</b>'),
    );
    await row.getByText('Retry', { exact: true }).first().click();
    await row.getByLabel('Reason').fill('The receiver is repaired.');
    await row.getByRole('button', { name: /^Retry/ }).click();
    await expect.poll(status).toBe('The delivery is attempted again.');
    await expect
      .poll(
        async () => {
          await page.reload();
          return row.innerText();
        },
        { timeout: 20_000 },
      )
      .toContain('succeeded');
  });

  test('each page is one request within its budget, and accessible in each width and scheme', async () => {
    const id = await failedDelivery();
    answers = 500;
    for (let n = 0; n < 20; n += 1) await api('POST', `/webhooks/${id}/test`);
    await signIn(true);
    const own = `/developers/${applicationId}`;
    const webhook = `${own}/webhooks/${id}`;
    await page.goto(consoleUrl(webhook));
    const event = await page.getByRole('link', { name: /^evt_/ }).first().innerText();
    for (const path of ['/developers', '/developers?from=x', own, webhook, `${webhook}?event=${event}`]) {
      const { requests, bytes } = await weightOf(page, consoleUrl(path));
      expect([path, requests, bytes <= consolePageKb * 1_024]).toEqual([path, 1, true]);
      await expectAccessibleEverywhere(page);
    }
    await page.goto(consoleUrl(own));
    await page.getByLabel(/^Changes/).fill('{"dunning": {"graceDays": 11}, "timeZone": null}');
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await seeHeading(page, 'Change the settings');
    await expectAccessibleEverywhere(page);
    await page.goto(consoleUrl(own));
    await page.getByLabel(/^Changes/).fill('{');
    await page.getByRole('button', { name: 'Show the difference' }).click();
    await seeHeading(page, 'An entry is not possible');
    await expectAccessibleEverywhere(page);
  });
});
