import type { Page } from 'playwright-core';
import { enter, expectAccessible } from '../../../support/browser/accessible.ts';
import { hasChromium, type Visitor } from '../../../support/browser/chromium.ts';
import { startPages } from '../../../support/browser/stack.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';

describe.skipIf(!hasChromium)('the account page in Chromium (skipped where there is none)', () => {
  const pages = startPages('account-owner');
  let page: Page;

  const unfold = (name: RegExp) => page.locator('summary', { hasText: name }).first().click();
  const removal = (name = 'Remove this device') =>
    page.locator('details[open]').getByRole('button', { name });
  const status = () => page.getByRole('status').innerText();
  const devices = () => page.locator('section[aria-labelledby=devices] h3').allInnerTexts();

  /** Verifies devices, and lets the time pass until the next code may be sent. */
  async function withDevices(...userAgents: string[]): Promise<void> {
    for (const userAgent of userAgents) {
      await pages.letSessionsEnd();
      await pages.world.newDevice(userAgent);
    }
    await pages.letSessionsEnd();
  }

  /** Signs in with the keyboard alone: each page focuses its field. */
  async function signIn(): Promise<void> {
    await pages.askForCode(page);
    await expectAccessible(page);
    await pages.enterCode(page);
    await page.getByText('Signed in as').waitFor();
  }
  async function open(visitor: Visitor = {}): Promise<void> {
    page = await pages.open('/account', visitor);
    await signIn();
  }

  test('a person removes a device with the keyboard alone, without JavaScript, and then all others', async () => {
    await withDevices(firefox, safari, 'Other/1.0');
    await open({ javaScript: false });
    await expectAccessible(page);
    expect(await devices()).toContainEqual(expect.stringMatching(/Firefox/));
    await enter(page, /^Remove.*Firefox/);
    await enter(page, 'Remove this device');
    await expect.poll(status).toMatch(/The device was removed/);
    expect(await devices()).not.toContainEqual(expect.stringMatching(/Firefox/));
    await unfold(/^Remove.*Safari/);
    await removal('Remove all other devices').click();
    await expect.poll(status).toMatch(/All other devices were removed/);
    expect(await devices()).toEqual([expect.stringMatching(/Safari/)]);
  });

  test('a double click removes one device, going back removes no other, and a session that has run out removes nothing, and says so', async () => {
    await withDevices(firefox, safari);
    await open();
    const before = await devices();
    await unfold(/^Remove.*Firefox/);
    await removal().dblclick();
    await expect.poll(status).toMatch(/The device was removed/);
    const after = before.filter((name) => !name.includes('Firefox'));
    expect(await devices()).toEqual(after);
    await page.goBack();
    await page.reload();
    expect(await devices()).toEqual(after);

    await unfold(/^Remove.*Safari/);
    await pages.letSessionsEnd();
    await removal().click();
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/Nothing was changed/);
    await signIn();
    expect(await devices()).toEqual(after);
  });
});
