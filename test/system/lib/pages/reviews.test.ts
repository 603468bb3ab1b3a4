import type { Page } from 'playwright-core';
import { enter, expectAccessible, focused, seeHeading, tabTo } from '../../../support/browser/accessible.ts';
import { hasChromium, type Visitor } from '../../../support/browser/chromium.ts';
import { startPages } from '../../../support/browser/stack.ts';

describe.skipIf(!hasChromium)('the reviews in Chromium (skipped where there is none)', () => {
  const pages = startPages('reviewed-user');
  let page: Page;

  // Each test begins with an empty queue.
  beforeEach(async () => {
    const { send } = pages.world;
    const { operatorKey: key } = await send('GET', '/_local/demo');
    const { reviews } = await send('GET', '/api/operator/reviews?limit=200', { key });
    for (const { linkId, revision } of reviews) {
      const body = { decision: 'verified', revision };
      await send('POST', `/api/operator/reviews/${linkId}`, { key, body });
    }
  });

  /** Submits links, and opens the queue with them. */
  async function openQueue(count: number, visitor: Visitor = {}): Promise<void> {
    const { send, user, application } = pages.world;
    const links = Array.from({ length: count }, (_, n) => ({
      title: `Link ${n + 1}`,
      url: `https://www.example.com/${n + 1}`,
      platform: 'Page',
      description: 'About birds.',
    }));
    const body = { userId: user.userId, links };
    await send('POST', '/api/trust-links', { key: application.clientSecret, body });
    page = await pages.openConsole('/reviews', visitor);
    await seeHeading(page, 'Reviews');
  }

  const notice = () => page.getByRole('status').innerText();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** Presses keys, the last of which leads to another page. */
  const leave = async (...keys: string[]) => {
    const { pathname } = new URL(page.url());
    await press(...keys);
    await page.waitForURL((next) => next.pathname !== pathname);
  };

  test('a reviewer decides links with the keyboard alone, one key a verified link, undoes a decision, and learns of a change', async () => {
    await openQueue(8);
    expect(await focused(page)).toBe('Review the next link');
    await leave('Enter');
    await seeHeading(page, 'Link 1');
    await leave('v');
    await seeHeading(page, 'Link 2');
    await leave('u');
    await seeHeading(page, 'Link 1');
    expect(await notice()).toMatch(/The decision is withdrawn\./);
    await expectAccessible(page);

    const linkId = new URL(page.url()).pathname.split('/').at(-1);
    const { send, user, application } = pages.world;
    const changed = { title: 'Another title', userId: user.userId };
    await send('PUT', `/api/trust-links/${linkId}`, { key: application.clientSecret, body: changed });
    await press('v');
    await seeHeading(page, 'Another title');
    const told = await page.getByRole('alert').innerText();
    expect(told).toMatch(/has changed since you read it\. Nothing was decided/);
    await expectAccessible(page);

    const decided = new Set<string>();
    for (let n = 1; n <= 8; n += 1) {
      decided.add(new URL(page.url()).pathname);
      if (n % 4 === 0) await leave('r', 'ArrowDown', 'Enter');
      else await leave('v');
      expect(await notice()).toMatch(n % 4 === 0 ? /is rejected\./ : /is verified\./);
    }
    await seeHeading(page, 'Reviews');
    expect(await page.locator('main').innerText()).toContain('No links are waiting for review.');
    expect(decided.size).toBe(8);
  });

  test('j and k move along the list and between links, no key acts while one types, and a person turns the keys off on every page', async () => {
    await openQueue(3);
    const rows = page.locator('a[data-row]');
    const hrefs = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('href')));
    for (const [key, at] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
      ['k', 0],
    ] as const) {
      await press(key);
      expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(hrefs[at]);
    }
    await leave('Enter');
    const first = page.url();
    await leave('j');
    const second = page.url();
    await leave('k');
    expect(page.url()).toBe(first);
    await page.goto(second);
    await press('r', 'v');
    await tabTo(page, 'In your own words');
    await page.keyboard.type('jkvr');
    await press('Control+v');
    // The clipboard can have a text of another test.
    const words = await page.locator('#words').inputValue();
    expect([page.url(), words]).toEqual([second, expect.stringMatching(/^jkvr/)]);
    await press('Escape', 'v');
    await expect.poll(notice).toMatch(/is verified\./);

    await enter(page, 'Turn the keys off');
    expect(await focused(page)).toBe('Turn the keys on');
    await page.goto(first);
    await press('v', 'j', 'r');
    expect([page.url(), await focused(page)]).toEqual([first, '']);
    await enter(page, 'Turn the keys on');
    await press('v');
    await expect.poll(notice).toMatch(/is verified\./);
  });

  test('without JavaScript the forms and the links do the same', async () => {
    await openQueue(2, { javaScript: false });
    await press('Enter');
    await seeHeading(page, /^Link/);
    await enter(page, 'Verify');
    await expect.poll(notice).toMatch(/is verified\./);
    await enter(page, 'Undo');
    await expect.poll(notice).toMatch(/The decision is withdrawn\./);
    await enter(page, 'Verify');
    await expect.poll(notice).toMatch(/is verified\./);
    await tabTo(page, 'The address cannot be reached.');
    await press('Space');
    await enter(page, 'Reject');
    await seeHeading(page, 'Reviews');
    expect(await notice()).toMatch(/is rejected\. No unclaimed links/);
  });
});
