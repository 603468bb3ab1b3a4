import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { referenceFiles } from '../../../../lib/deployment/bundling/deployed-files.ts';
import { listen } from '../../../../lib/local/listen.ts';
import { pages as budgets } from '../../../bench/budgets.ts';
import { expectAccessible, focused, seeHeading } from '../../../support/browser/accessible.ts';
import {
  browserOfWorker,
  hasChromium,
  type TestBrowser,
  type Visitor,
} from '../../../support/browser/chromium.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import { call } from '../../../support/call.ts';
import { samples } from '../../../support/thoroughness.ts';

/** The values of attributes in a page. */
const valuesOf = (html: string, attributes: string): string[] =>
  [...html.matchAll(new RegExp(`\\s(?:${attributes})="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );

describe.skipIf(!hasChromium)('the reference in Chromium (skipped where there is none)', () => {
  let directory: string;
  let server: Awaited<ReturnType<typeof listen>>;
  let browser: TestBrowser;
  let page: Page;
  /** Of the pages below the first. */
  let names: string[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'vouchsafe-reference-'));
    const files = Object.entries(await referenceFiles());
    await Promise.all(files.map(([name, text]) => writeFile(join(directory, name), text)));
    names = Object.keys(JSON.parse(await readFile(join(directory, 'docs.json'), 'utf8')));
    const answer = createServer(async ({ url = '', headers }, response) => {
      process.env.FILES_DIR = directory;
      const [, group] = /^\/stage\/docs(?:\/([\w-]+))?$/.exec(url) ?? [url, 'nothing'];
      const id = group === undefined ? 'reference.page' : 'reference.group';
      const params: Record<string, string> = group === undefined ? {} : { group };
      const sent = await call(id, { params, headers: headers as never });
      response.writeHead(sent.status, sent.headers).end(sent.text);
    });
    [server, browser] = await Promise.all([listen(answer, 0), browserOfWorker()]);
  });
  afterEach(() => browser?.endTest());
  afterAll(async () => {
    await server?.close();
    await rm(directory, { recursive: true });
  });

  async function open(path = '', visitor: Visitor = {}): Promise<void> {
    page = await browser.newPage({ width: 1_200, ...visitor });
    await page.goto(`${server.url}/stage/docs${path}`);
  }
  const results = () =>
    page.evaluate('[...document.querySelectorAll("#results a")].map((one) => one.textContent)');

  test('it runs under its policy, and requests nothing but itself', async () => {
    for (const path of ['/stage/docs', '/stage/docs/subscriptions']) {
      page = await browser.newPage({ width: 1_200 });
      const { paths, bytes } = await weightOf(page, `${server.url}${path}`);
      expect(paths).toEqual([path]);
      expect(bytes).toBeLessThanOrEqual(budgets['/docs'].kb * 1_024);
    }
    await open();
    await seeHeading(page, 'Vouchsafe API reference');
    await expect
      .poll(() => page.locator('.api').first().textContent())
      .toContain(`api=${server.url}/stage\n`);
  });

  // All groups are written by the same code: these have every kind of element, and few of each.
  const shown = samples({ few: ['', '/devices', '/events', '/guides'], many: undefined });

  test('it is accessible and fits in each width and scheme, with every response open', async () => {
    page = await browser.newPage({ width: 1_200 });
    for (const path of shown ?? ['', ...names.map((name) => `/${name}`)]) {
      await page.goto(`${server.url}/stage/docs${path}`);
      await expectAccessible(page);
    }
  });

  test('every place that it links to exists', async () => {
    const ids = new Map<string, Set<string>>();
    const links = new Set<string>();
    for (const path of ['', ...names.map((name) => `/${name}`)]) {
      const here = `${server.url}/stage/docs${path}`;
      const html = await (await fetch(here)).text();
      ids.set(new URL(here).pathname, new Set(valuesOf(html, 'id')));
      const within = valuesOf(html, 'for|aria-controls|aria-labelledby|aria-describedby');
      const named = within.flatMap((value) => value.split(' ')).map((id) => `#${id}`);
      for (const link of [...valuesOf(html, 'href'), ...named]) links.add(new URL(link, here).href);
    }
    const own = [...links].filter((link) => link.startsWith(server.url));
    expect(own.length).toBeGreaterThan(registeredRoutes().length);
    const missing = own.filter((link) => {
      const { pathname, hash } = new URL(link);
      if (pathname === '/stage/openapi.json') return false;
      const known = ids.get(pathname);
      return known === undefined || (hash !== '' && !known.has(decodeURIComponent(hash.slice(1))));
    });
    expect(missing).toEqual([]);
  });

  test('the search finds operations by title, path, field and error, the best first', async () => {
    await open('/plans');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('cancel a subsc');
    await expect.poll(async () => ((await results()) as string[])[0]).toContain('Cancel a subscription');
    await expectAccessible(page);
    const first = async (text: string) => {
      await page.locator('#search').fill(text);
      return (await results()) as string[];
    };
    expect((await first('refund')).slice(0, 3), 'titles before fields').toContainEqual(
      expect.stringContaining('payment.refunded'),
    );
    expect((await first('bank transfer'))[0], 'guides').toContain('Sell a subscription by bank transfer');
    expect((await first('mfa send'))[0]).toContain('POST /api/auth/mfa/send');
    expect((await first('deviceHash'))[0]).toContain('Revoke a device');
    expect((await first('invalid_transition'))[0]).toContain('invalid_transition');
    expect((await first('invoice.paid'))[0]).toContain('invoice.paid');
    expect((await first('how do I cancel'))[0], 'words that no entry has').toContain('Cancel a subscription');
    expect((await first('subscripton')).length, 'misspelt').toBeGreaterThan(0);
    expect(await first('xyzzy')).toEqual([]);
    expect(await page.locator('#status').textContent()).toBe('0 results');
    await first('resume a subscription');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.url}/stage/docs/subscriptions#resumeSubscription`);
  });

  test('the keyboard reaches the content, and the search with a slash; Escape closes it and the menu of a phone, whose header breaks no word', async () => {
    await open('/vault');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    await page.keyboard.type('a/b');
    expect(await page.locator('#search').inputValue()).toBe('a/b');
    await page.keyboard.press('Escape');
    expect(await page.locator('#finder').isVisible()).toBe(false);
    await page.locator('#getVault').getByLabel('Python').focus();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id'), 'a choice is no text').toBe('search');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate("document.querySelector('.bar').offsetHeight")).toBeLessThan(64);
    await page.locator('.menu summary').click();
    await page.keyboard.press('Escape');
    expect(await page.locator('.menu nav').isVisible()).toBe(false);
  });

  test('without a script, a phone has the menu, and each example can be chosen', async () => {
    await open('/subscriptions', { width: 360, javaScript: false });
    await page.locator('.menu summary').click();
    await page.getByRole('link', { name: 'Pause a subscription' }).first().click();
    expect(new URL(page.url()).hash).toBe('#pauseSubscription');
    const example = page.locator('#pauseSubscription');
    expect(await example.locator('pre.python').isVisible()).toBe(false);
    await example.getByLabel('Python').check();
    expect(await example.locator('pre.python').isVisible()).toBe(true);
    expect(await example.locator('pre.curl').isVisible()).toBe(false);
    expect(await page.locator('#find').isVisible()).toBe(false);
  });

  test('the menu marks the section that is read', async () => {
    await open('/subscriptions#cancelSubscription');
    await expect
      .poll(() => page.locator('nav.side [aria-current=location]').textContent())
      .toBe('Cancel a subscription');
    expect(await page.locator('nav.side [aria-current=page]').textContent()).toBe('Subscriptions');
  });
});
