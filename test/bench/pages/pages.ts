import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import {
  hasChromium,
  startBrowser,
  type TestBrowser,
  testedPath,
  type Visitor,
} from '../../support/browser/chromium.ts';
import { seeHeading } from '../../support/browser/read.ts';
import { weightOf } from '../../support/browser/weight.ts';
import { newWorld, type World } from '../../support/browser/world.ts';
import { startServer } from '../../support/server.ts';
import { asFile, camt, entryXml } from '../../support/statements/bank-files.ts';
import { pages as budgets } from '../budgets.ts';
import { lowerQuartile, printTable, round, verdict } from '../print.ts';

const measuredRuns = 5;
/** The pages of a sample, which are seen once. */
const sampledPages: readonly string[] = ['/', '/console', '/billing/{token}'];
/** A phone of the lower middle class, as Lighthouse has it. */
const slowdown = 4;

/** At least as many records as a page of the console shows. */
const listed = 50;

/** Acts for each record that a page lists, within the limit of the application's requests: at most two for each record. */
async function forEachListed(act: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < listed; n += 1) {
    await act(n);
    await setTimeout(50);
  }
}

/** The ids of links that wait for a review. */
async function submitLinks({ send, user, application }: World): Promise<string[]> {
  const links = Array.from({ length: listed }, (_, n) => ({
    title: `Link ${n}`,
    url: `https://www.example.com/${n}`,
    platform: 'Page',
    description: 'About birds.',
  }));
  const body = { userId: user.userId, links };
  const { trustLinks } = await send('POST', '/api/trust-links', { key: application.clientSecret, body });
  return trustLinks.map(({ _id }: { _id: string }) => _id);
}

/** Uploads a bank statement with an entry for each text, none of which names an invoice. */
async function uploadStatement({ send, application }: World, texts: readonly string[]) {
  const file = asFile(camt(texts.map((text) => entryXml({ amount: '19.00', text }))));
  return await send('POST', '/api/v1/bank-statements', {
    key: application.apiKey,
    body: { format: 'camt.053', file },
  });
}

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

/** The pages that a visit begins with, by the names of their budgets. */
const addresses: Record<keyof typeof budgets, (world: World) => Promise<string> | string> = {
  '/': ({ url }) => `${url}/`,
  'an unknown path': ({ url }) => `${url}/nothing/here`,
  '/s, to create': ({ url }) => `${url}/s`,
  '/s/{shareId}, to open': ({ url }) => `${url}/s/AAAAAAAAAAAAAAAAAAAAAA#k${'A'.repeat(43)}`,
  '/account': ({ url }) => `${url}/account`,
  '/console/sign-in': ({ url }) => `${url}/console/sign-in`,
  '/console': ({ url }) => `${url}/console`,
  '/console/reviews': async (world) => {
    await submitLinks(world);
    return `${world.url}/console/reviews`;
  },
  '/console/reviews/{linkId}': async (world) => {
    const [linkId] = await submitLinks(world);
    return `${world.url}/console/reviews/${linkId}`;
  },
  '/console/customers': ({ url }) => `${url}/console/customers`,
  '/console/customers?application={applicationId}': async (world) => {
    await forEachListed((n) => world.newSubscription(`customer-${n}`));
    return `${world.url}/console/customers?application=${world.application.clientId}`;
  },
  '/console/customers/{applicationId}/{subscriptionId}': async (world) => {
    const { subscriptionId } = await world.newSubscription('changing');
    const path = `/api/v1/subscriptions/${subscriptionId}`;
    const { apiKey: key, clientId } = world.application;
    await world.send('POST', `${path}/activate`, { key, body: {} });
    await forEachListed((n) =>
      world.send('PATCH', path, { key, body: { autoRenew: n % 2 === 1, reason: `The reason ${n}` } }),
    );
    return `${world.url}/console/customers/${clientId}/${subscriptionId}`;
  },
  '/console/money/{applicationId}': async (world) => {
    await forEachListed((n) =>
      world.send('POST', '/api/v1/payments', {
        key: world.application.apiKey,
        body: { paymentId: `transfer-${n}`, amount: 19, currency: 'EUR', reference: 'none' },
      }),
    );
    return `${world.url}/console/money/${world.application.clientId}`;
  },
  '/console/money/{applicationId}/statements': async (world) => {
    await forEachListed((n) => uploadStatement(world, [`List ${n}`]));
    return `${world.url}/console/money/${world.application.clientId}/statements`;
  },
  '/console/money/{applicationId}/statements/{statementId}': async (world) => {
    const texts = Array.from({ length: listed }, (_, n) => `Entry ${n}`);
    const { statement } = await uploadStatement(world, texts);
    return `${world.url}/console/money/${world.application.clientId}/statements/${statement._id}`;
  },
  '/console/developers': async (world) => {
    const { operatorKey: key } = await world.send('GET', '/_local/demo');
    await forEachListed((n) =>
      world.send('POST', '/api/operator/applications', {
        key,
        body: { name: `Application ${n}`, redirectUris: [`${world.site}/callback`] },
      }),
    );
    return `${world.url}/console/developers`;
  },
  '/console/developers/{applicationId}': ({ url, application }) =>
    `${url}/console/developers/${application.clientId}`,
  '/console/developers/{applicationId}/webhooks/{webhookId}': async (world) => {
    const { apiKey: key, clientId } = world.application;
    // The receiver is the stack itself, which refuses each delivery: a page with failures is the largest.
    const body = { url: `${world.url}/nothing/here`, types: ['subscription.*'] };
    const { webhook } = await world.send('POST', '/api/v1/webhooks', { key, body });
    await forEachListed(() => world.send('POST', `/api/v1/webhooks/${webhook._id}/test`, { key, body: {} }));
    return `${world.url}/console/developers/${clientId}/webhooks/${webhook._id}`;
  },
  '/console/audit': ({ url }) => `${url}/console/audit`,
  '/billing/{token}': async (world) => world.billingUrl(await world.newSubscription('billed')),
  '/checkout/{token}': async (world) => (await world.newSubscription('paying')).checkoutUrl,
  '/oauth/authorize/consent': ({ consentUrl }) => consentUrl,
  '/docs': ({ url }) => `${url}/docs`,
  // The largest one.
  '/docs/{group}': ({ url }) => `${url}/docs/subscriptions`,
};

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
      const address = await addresses[name as keyof typeof budgets](world);
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
