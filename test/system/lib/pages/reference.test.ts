import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { referenceFiles } from '../../../../lib/deployment/bundling/deployed-files.ts';
import { listen } from '../../../../lib/local/listen.ts';
import { pages as budgets } from '../../../bench/budgets.ts';
import {
  expectAccessibleEverywhere,
  expectNoSidewaysScrollingAnywhere,
} from '../../../support/browser/accessible.ts';
import {
  browserOfWorker,
  hasChromium,
  type TestBrowser,
  type Visitor,
} from '../../../support/browser/chromium.ts';
import { focused } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import { call } from '../../../support/call.ts';
import { samples } from '../../../support/thoroughness.ts';

/**
 * Removes the operations and events whose elements are all of kinds that an earlier one has: by name, classes and
 * attributes, and those of the element around. Returns how many articles there were, and how many operations and events
 * there are.
 */
const keepOneOfEachKind = `(() => {
  const tag = (one) => [one.localName, ...[...one.classList].sort(), ...one.getAttributeNames()].join('.');
  const kind = (one) => tag(one.parentElement) + ' > ' + tag(one);
  const all = [...document.querySelectorAll('article')];
  const met = new Set();
  const kept = all.filter((article) => {
    const kinds = [article, ...article.querySelectorAll('*')].map(kind).filter((one) => !met.has(one));
    for (const one of kinds) met.add(one);
    return kinds.length > 0;
  });
  for (const article of all) if (!kept.includes(article)) article.remove();
  const count = (selector) => document.querySelectorAll(selector).length;
  return [all.length, count('article[data-operation]'), count('#events article')];
})()`;

/** How many places of the page refer to an id of it, and the ids among them that no element has. */
const references = `(() => {
  const lists = ['for', 'aria-controls', 'aria-labelledby', 'aria-describedby'];
  const ids = [
    ...lists.flatMap((name) =>
      [...document.querySelectorAll('[' + name + ']')].flatMap((one) => one.getAttribute(name).split(/\\s+/))),
    ...[...document.querySelectorAll('a[href^="#"]')].map((one) => decodeURIComponent(one.hash.slice(1))),
  ];
  return [ids.length, ids.filter((id) => document.getElementById(id) === null)];
})()`;

describe.skipIf(!hasChromium)('the reference in Chromium (skipped where there is none)', () => {
  let directory: string;
  let server: Awaited<ReturnType<typeof listen>>;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'vouchsafe-reference-'));
    const files = Object.entries(referenceFiles());
    await Promise.all(files.map(([name, text]) => writeFile(join(directory, name), text)));
    const answer = createServer(async ({ url = '', headers }, response) => {
      process.env.FILES_DIR = directory;
      const sent =
        url === '/stage/docs' ? await call('reference.page', { headers: headers as never }) : undefined;
      response.writeHead(sent?.status ?? 404, sent?.headers).end(sent?.text);
    });
    [server, browser] = await Promise.all([listen(answer, 0), browserOfWorker()]);
  });
  afterEach(() => browser?.endTest());
  afterAll(async () => {
    await server?.close();
    await rm(directory, { recursive: true });
  });

  async function open(visitor: Visitor = {}): Promise<void> {
    page = await browser.newPage({ width: 1_200, ...visitor });
    await page.goto(`${server.url}/stage/docs`);
    await seeHeading(page, 'Vouchsafe API reference');
  }
  const openDetails = () =>
    page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
  const shown = () =>
    page.evaluate(
      '[...document.querySelectorAll("[data-operation]")].filter((a) => !a.hidden).map((a) => a.id)',
    );

  test('it runs under its policy, and requests nothing but itself', async () => {
    page = await browser.newPage({ width: 1_200 });
    const { paths, bytes } = await weightOf(page, `${server.url}/stage/docs`);
    expect(paths).toEqual(['/stage/docs']);
    expect(bytes).toBeLessThanOrEqual(budgets['/docs'].kb * 1_024);
    await expect.poll(() => page.locator('#api').textContent()).toBe(`api=${server.url}/stage`);
  });

  // All operations are written by the same code, and all events: axe takes a minute for all of them.
  const shortened = samples({ few: true, many: false });

  test('it is accessible and fits in each width and scheme, with every response open', {
    timeout: 300_000,
  }, async () => {
    await open();
    await openDetails();
    if (shortened) {
      await expectNoSidewaysScrollingAnywhere(page);
      const [all, operations, events] = (await page.evaluate(keepOneOfEachKind)) as [number, number, number];
      expect(all).toBeGreaterThanOrEqual(registeredRoutes().length);
      expect(operations).toBeGreaterThanOrEqual(1);
      expect(events).toBeGreaterThanOrEqual(1);
    }
    await expectAccessibleEverywhere(page);
  });

  // On the whole page: in a shortened one, most of what refers to ids is gone.
  test('every id that it refers to exists', async () => {
    await open();
    const [count, missing] = (await page.evaluate(references)) as [number, string[]];
    expect(count).toBeGreaterThanOrEqual(registeredRoutes().length);
    expect(missing).toEqual([]);
  });

  test('the filter is used with the keyboard, and says how many operations it leaves', async () => {
    await open();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    await page.keyboard.type('sendDevice');
    expect(await shown()).toEqual(['sendDeviceCode']);
    expect(await page.locator('#status').textContent()).toBe('1 operation');
    expect(await page.locator('nav li[data-of]:not([hidden])').count()).toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash).toBe('#sendDeviceCode');
  });
});
