import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { minuteMs } from '../../../../functions/shared/runtime/duration.ts';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { enter, focused, tabTo } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { type PagesStack, startPagesStack } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';

describe.skipIf(!hasChromium)('the reviews in Chromium (skipped where there is none)', () => {
  let pages: PagesStack;
  let page: Page;

  beforeAll(async () => {
    pages = await startPagesStack('reviewed-user');
  });
  // Each test begins with an empty queue.
  beforeEach(async () => {
    const { operatorKey: key } = await pages.world.send('GET', '/_local/demo');
    const { reviews } = await pages.world.send('GET', '/api/operator/reviews?limit=200', { key });
    for (const { linkId, revision } of reviews)
      await pages.world.send('POST', `/api/operator/reviews/${linkId}`, {
        key,
        body: { decision: 'verified', revision },
      });
  });
  afterEach(() => pages?.browser.endTest());
  afterAll(() => pages?.stop());

  const url = (path = '') => `${pages.world.url}/console/reviews${path}`;

  async function submit(count: number): Promise<{ linkIds: string[] }> {
    const { world } = pages;
    const links = Array.from({ length: count }, (_, n) => ({
      title: `Link ${n + 1}`,
      url: `https://www.example.com/${n}`,
      platform: 'Page',
      description: 'About birds.',
    }));
    const body = { userId: world.user.userId, links };
    const { trustLinks } = await world.send('POST', '/api/trust-links', {
      key: world.application.clientSecret,
      body,
    });
    return { linkIds: trustLinks.map(({ _id }: { _id: string }) => _id) };
  }

  async function openQueue(options: Parameters<PagesStack['browser']['newPage']>[0] = {}): Promise<void> {
    page = await pages.browser.newPage(options);
    await page.goto(url());
    const { operatorKey } = await pages.world.send('GET', '/_local/demo');
    await expect.poll(() => focused(page)).toBe('Operator key');
    await page.keyboard.type(operatorKey);
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Reviews');
  }

  const notice = () => page.getByRole('status').innerText();
  const focusedHref = () => page.evaluate('document.activeElement.getAttribute("href")');

  test('a reviewer decides 20 links with the keyboard alone, one key a verified link, in less than two minutes', async () => {
    await submit(20);
    await openQueue();
    expect(await focused(page)).toBe('Review the next link');
    const decided = new Set<string>();
    const startedMs = performance.now();
    await page.keyboard.press('Enter');
    for (let n = 1; n <= 20; n += 1) {
      await seeHeading(page, /^Link/);
      const path = page.url();
      decided.add(new URL(path).pathname);
      if (n % 4 === 0) {
        await page.keyboard.press('r');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      } else await page.keyboard.press('v');
      await page.waitForURL((next) => next.pathname !== new URL(path).pathname);
      expect(await notice()).toMatch(n % 4 === 0 ? /is rejected\./ : /is verified\./);
    }
    await seeHeading(page, 'Reviews');
    expect(await page.locator('main').innerText()).toContain('No links are waiting for review.');
    expect(decided.size).toBe(20);
    expect(performance.now() - startedMs).toBeLessThan(2 * minuteMs);
  });

  test('the key u undoes the decision that was just made, and the link is decided again', async () => {
    await submit(2);
    await openQueue();
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Link 1');
    await page.keyboard.press('v');
    await seeHeading(page, 'Link 2');
    await page.keyboard.press('u');
    await seeHeading(page, 'Link 1');
    expect(await notice()).toMatch(/The decision is withdrawn\./);
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('v');
    await expect.poll(notice).toMatch(/“Link 1” is verified\./);
  });

  test('without JavaScript the forms and the links do the same', async () => {
    await submit(2);
    await openQueue({ javaScript: false });
    await page.keyboard.press('Enter');
    await seeHeading(page, /^Link/);
    await enter(page, 'Verify');
    await expect.poll(notice).toMatch(/is verified\./);
    await enter(page, 'Undo');
    await expect.poll(notice).toMatch(/The decision is withdrawn\./);
    await enter(page, 'Verify');
    await expect.poll(notice).toMatch(/is verified\./);
    await tabTo(page, 'The address cannot be reached.');
    await page.keyboard.press('Space');
    await enter(page, 'Reject');
    await seeHeading(page, 'Reviews');
    expect(await notice()).toMatch(/is rejected\. No unclaimed links/);
  });

  test('j and k move along the list and between links, and no key acts while one types', async () => {
    await submit(3);
    await openQueue();
    const hrefs = await page
      .locator('a[data-row]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('href')));
    for (const [key, at] of [
      ['j', 0],
      ['j', 1],
      ['k', 0],
      ['k', 0],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focusedHref()).toBe(hrefs[at]);
    }
    await page.keyboard.press('Enter');
    await seeHeading(page, /^Link/);
    const first = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((next) => next.href !== first);
    const second = page.url();
    await page.keyboard.press('k');
    await page.waitForURL(first);
    await page.goto(second);
    await page.keyboard.press('r');
    await page.keyboard.press('v');
    await tabTo(page, 'In your own words');
    await page.keyboard.type('jkvr');
    await page.keyboard.press('Control+v');
    // The clipboard can have a text of another test.
    const words = await page.locator('#words').inputValue();
    expect([page.url(), words]).toEqual([second, expect.stringMatching(/^jkvr/)]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('v');
    await expect.poll(notice).toMatch(/is verified\./);
  });

  test('a person turns the keys off, on every page', async () => {
    await submit(2);
    await openQueue();
    await enter(page, 'Turn the keys off');
    expect(await focused(page)).toBe('Turn the keys on');
    await enter(page, /^Link/);
    await seeHeading(page, /^Link/);
    const opened = page.url();
    for (const key of ['v', 'j', 'r']) await page.keyboard.press(key);
    expect([page.url(), await focused(page)]).toEqual([opened, '']);
    await enter(page, 'Turn the keys on');
    await page.keyboard.press('v');
    await expect.poll(notice).toMatch(/is verified\./);
  });

  test('a link that changed meanwhile says so, and nothing is decided', async () => {
    const { linkIds } = await submit(1);
    const { world } = pages;
    await openQueue();
    await page.keyboard.press('Enter');
    await seeHeading(page, 'Link 1');
    await world.send('PUT', `/api/trust-links/${linkIds[0]}`, {
      key: world.application.clientSecret,
      body: { title: 'Another title', userId: world.user.userId },
    });
    await page.keyboard.press('v');
    await seeHeading(page, 'Another title');
    expect(await page.getByRole('alert').innerText()).toMatch(
      /has changed since you read it\. Nothing was decided/,
    );
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('v');
    await seeHeading(page, 'Reviews');
  });

  test('each page is one request within its budget, and accessible in each width and scheme', async () => {
    const { linkIds } = await submit(50);
    const [id = ''] = linkIds;
    const { world } = pages;
    const { operatorKey: key } = await world.send('GET', '/_local/demo');
    await world.send('POST', `/api/operator/reviews/${id}`, {
      key,
      body: { decision: 'verified', revision: 1 },
    });
    await world.send('PUT', `/api/trust-links/${id}`, {
      key: world.application.clientSecret,
      body: { title: 'A title that is new', description: '', userId: world.user.userId },
    });
    await openQueue();
    for (const path of ['', `/${id}`]) {
      const { requests, bytes } = await weightOf(page, url(path));
      expect(requests).toBe(1);
      expect(bytes).toBeLessThanOrEqual(30 * 1_024);
      await expectAccessibleEverywhere(page);
    }
    expect(await page.locator('ins').allInnerTexts()).toEqual(['A title that is new', '–']);
  });
});
