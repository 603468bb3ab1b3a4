import type { Page } from 'playwright-core';
import { seeHeading } from '../../support/browser/accessible.ts';
import {
  hasChromium,
  startBrowser,
  type TestBrowser,
  testedPath,
  type Visitor,
} from '../../support/browser/chromium.ts';
import { weightOf } from '../../support/browser/weight.ts';
import { newWorld, type World } from '../../support/browser/world.ts';
import { startServer } from '../../support/server.ts';
import { pages as budgets } from '../budgets.ts';
import { lowerQuartile, printTable, round, verdict } from '../print.ts';
import { addresses, type Listed } from './addresses.ts';

const measuredRuns = 5;
/** The pages of a sample, which are seen once. */
const sampledPages: readonly string[] = ['/', '/console', '/billing/{token}'];
/** A phone of the lower middle class, as Lighthouse has it. */
const slowdown = 4;

/** At least as many records as a page of the console shows, and at most two requests for each. */
const listed: Listed = { records: 50, pauseMs: 50 };

/** The cookies of a person who is signed in to the console. */
async function signIn(browser: TestBrowser, { url, send }: World): Promise<Visitor> {
  const { operatorKey } = await send('GET', '/_local/demo');
  const page = await browser.newPage();
  await page.goto(`${url}/console/sign-in`);
  await page.getByLabel('Operator key').fill(operatorKey);
  await page.keyboard.press('Enter');
  await seeHeading(page, 'Console');
  return { more: { storageState: await page.context().storageState() } };
}

/** Weight and times of each page, on a stack of its own. Without Chromium it prints that it is missing. */
export async function benchPages(isSample: boolean): Promise<void> {
  if (!hasChromium) {
    process.stdout.write('\nPages are not measured: there is no Chromium. CHROMIUM names one.\n');
    return;
  }
  const { child, url } = await startServer();
  const browser = await startBrowser([], testedPath);
  try {
    const world = await newWorld(url);
    const signedIn = await signIn(browser, world);
    const rows: (string | number)[][] = [];
    const runs = isSample ? 1 : measuredRuns;
    for (const [name, budget] of Object.entries(budgets)) {
      if (isSample && !sampledPages.includes(name)) continue;
      const address = await addresses[name as keyof typeof budgets](world, listed);
      const visitor = /^\/console(?!\/sign-in)/.test(name) ? signedIn : {};
      const { requests, bytes } = await weightOf(await browser.newPage(visitor), address);
      const times: Times[] = [];
      for (let i = 0; i < runs; i += 1) times.push(await timesOf(browser, address, visitor));
      const painted = lowerQuartile(times.map(({ paintedMs }) => paintedMs));
      const interactive = lowerQuartile(times.map(({ interactiveMs }) => interactiveMs));
      const isLight = requests <= budget.requests && bytes <= budget.kb * 1_024;
      rows.push([
        name,
        requests,
        budget.requests,
        round(bytes / 1_024),
        budget.kb,
        round(painted, 0),
        round(interactive, 0),
        budget.interactiveMs,
        verdict(isLight, interactive <= budget.interactiveMs),
      ]);
    }
    printTable(
      `Pages in Chromium, first visit, compressed; times with the processor slowed down ${slowdown} times, without a network, lower quartile of ${runs}`,
      ['page', 'requests', 'budget', 'KB', 'budget', 'painted ms', 'interactive ms', 'budget', ''],
      rows,
    );
  } finally {
    await browser.close();
    child.kill('SIGTERM');
  }
}

interface Times {
  /** First Contentful Paint. */
  paintedMs: number;
  /**
   * When the page is painted, its scripts have run, and no task of more than 50 ms follows: Time to Interactive, as
   * https://developer.chrome.com/docs/lighthouse/performance/interactive defines it, but with the rest of the visit as window.
   */
  interactiveMs: number;
}

/** Begins before the page does: long tasks are reported only to those who listen. */
const listen = `
  globalThis.longTaskEnd = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) globalThis.longTaskEnd = startTime + duration;
  }).observe({ type: 'longtask', buffered: true });`;

const measured = `(() => {
  const paintedMs = performance.getEntriesByName('first-contentful-paint')[0].startTime;
  const { domContentLoadedEventEnd } = performance.getEntriesByType('navigation')[0];
  return { paintedMs, interactiveMs: Math.max(paintedMs, domContentLoadedEventEnd, globalThis.longTaskEnd) };
})()`;

async function timesOf(browser: TestBrowser, address: string, visitor: Visitor): Promise<Times> {
  const page = await browser.newPage({ ...visitor, width: 390 });
  await slowDown(page);
  await page.addInitScript(listen);
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.waitForFunction(`performance.getEntriesByName('first-contentful-paint').length > 0`);
  const times = (await page.evaluate(measured)) as Times;
  await browser.endTest();
  return times;
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}
