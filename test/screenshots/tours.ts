import type { Page } from 'playwright-core';
import { seeHeading } from '../support/browser/accessible.ts';
import { advance } from '../support/browser/clock.ts';
import type { World } from '../support/browser/world.ts';
import { asFile, camt, entryXml } from '../support/statements/bank-files.ts';

/** A tour. */
export interface Guide {
  world: World;
  /** A page in a new context. */
  newPage(): Promise<Page>;
  /** Takes the pictures of the page as it is now. `part` takes what the window shows, of a page that is long. */
  take(page: Page, name: string, title: string, options?: { part?: boolean }): Promise<void>;
}

/** Beyond the hour in which the codes of a mailbox are counted. */
const overAnHour = 3_601;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const seller = 'https://notes.example/**';

const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

async function sendCode(page: Page, { user }: World): Promise<void> {
  await page.getByLabel('E-mail address').fill(user.email);
  await click(page, 'Send me a code');
  await seeHeading(page, 'Check your mail');
}

async function enterCode(page: Page, { mailedCode }: World): Promise<void> {
  await page.getByLabel('6-digit code').fill(await mailedCode());
  await click(page, 'Sign in');
}

async function home({ world, newPage, take }: Guide, publicUrl: string): Promise<void> {
  const page = await newPage();
  await page.goto(`${publicUrl}/`);
  await take(page, 'home', 'The home page, `/`');
  await page.goto(`${publicUrl}/nothing/here`);
  await take(page, 'unknown', 'An unknown path');
  await page.goto(`${publicUrl}/docs`);
  await seeHeading(page, 'Vouchsafe API reference');
  // The reference names the host of the local stack nowhere else.
  await take(page, 'reference', 'The API reference, `/docs`', { part: true });
  await advance(world.url, overAnHour);
}

/** Last: the demo data takes random values, which the other pictures show. */
async function referenceGroup({ newPage, take }: Guide, publicUrl: string): Promise<void> {
  const page = await newPage();
  await page.goto(`${publicUrl}/docs/plans`);
  await page.getByRole('button', { name: 'Run' }).first().waitFor();
  await take(page, 'reference-group', 'A group of the reference, `/docs/plans`', { part: true });
}

async function share({ newPage, take }: Guide, publicUrl: string): Promise<void> {
  const page = await newPage();
  await page.goto(`${publicUrl}/s`);
  await page.getByLabel('Text', { exact: true }).last().fill('Wi-Fi at the cabin: winter-otter-lantern');
  await page.getByLabel('Passphrase (optional)').fill('two spoons');
  await page.getByLabel(/Create a receipt/).check();
  await take(page, 'share', 'The share page, `/s`');
  await click(page, 'Create link');
  await seeHeading(page, 'Your link is ready');
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  const receipt = await page.getByLabel('Receipt link').inputValue();
  await take(page, 'share-link', 'A new share: its link, QR code and receipt link');
  const recipient = await newPage();
  await recipient.goto(link);
  await recipient.getByLabel('Passphrase', { exact: true }).fill('two spoons');
  await take(recipient, 'share-open', 'A share before it is opened');
  await click(recipient, 'Open secret');
  await seeHeading(recipient, 'Here is the secret');
  await click(recipient, 'Show text');
  await take(recipient, 'share-opened', 'An opened share');
  const sender = await newPage();
  await sender.goto(receipt);
  await click(sender, 'Show status');
  await sender.locator('.state').waitFor();
  await take(sender, 'share-receipt', 'The receipt of a share');
  const late = await newPage();
  await late.goto(link);
  await late.getByLabel('Passphrase', { exact: true }).fill('two spoons');
  await click(late, 'Open secret');
  await late.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Someone shared' }).waitFor();
  await take(late, 'share-gone', 'A share that was opened before, has expired or is unknown');
}

async function consent({ world, newPage, take }: Guide): Promise<void> {
  const page = await newPage();
  await page.goto(world.consentUrl);
  await take(page, 'consent-sign-in', 'The consent page: sign-in');
  await sendCode(page, world);
  await take(page, 'consent-code', 'The consent page: code');
  await enterCode(page, world);
  await seeHeading(page, 'Allow Northwind Notes');
  await take(page, 'consent', 'The consent page: decision');
  await click(page, 'Allow');
  await page.waitForURL(seller);
  await world.exchangeCode(page.url());
}

async function account({ world, newPage, take }: Guide, publicUrl: string): Promise<void> {
  await advance(world.url, overAnHour);
  await world.newDevice(firefox);
  await advance(world.url, overAnHour);
  await world.newDevice(safari);
  await advance(world.url, overAnHour);
  const page = await newPage();
  await page.goto(`${publicUrl}/account`);
  await take(page, 'account-sign-in', 'The account page: sign-in');
  await sendCode(page, world);
  await enterCode(page, world);
  await page.getByText('Signed in as').waitFor();
  await take(page, 'account', 'The account page');
}

async function billing({ world, newPage, take }: Guide): Promise<void> {
  const subscription = await world.newSubscription('ann.reed');
  const page = await newPage();
  await page.goto(subscription.checkoutUrl);
  await take(page, 'checkout', 'The checkout page of the sandbox');
  await click(page, /^Pay/);
  await page.waitForURL(seller);
  await page.goto(await world.billingUrl(subscription));
  await take(page, 'billing', 'The billing page');
  await page.getByRole('link', { name: 'Cancel the subscription' }).click();
  await take(page, 'billing-cancel', 'The billing page: confirmation of a cancellation');
}

async function mail({ world, newPage, take }: Guide): Promise<void> {
  const { html = '' } = (await world.newestMail(world.user.email)) ?? {};
  const page = await newPage();
  await page.setContent(html);
  await take(page, 'mail', 'A mail with a sign-in code');
}

/** The links of the user that the review queue shows. */
const links = [
  ['Ann about birds', 'https://video.example/@ann-birds', 'Video'],
  ['Ann in the hills', 'https://photos.example/ann', 'Photos'],
  ['Notes of a walker', 'https://walks.example/notes', 'Blog'],
].map(([title, url, platform]) => ({ title, url, platform, description: 'About birds and hills.' }));

/** After the billing page: its customer is the one whom the console shows. */
async function operators({ world, newPage, take }: Guide, publicUrl: string): Promise<void> {
  const { application, send, user } = world;
  const { operatorKey } = await send('GET', '/_local/demo');
  const submitted = { userId: user.userId, links };
  const { trustLinks } = await send('POST', '/api/trust-links', {
    key: application.clientSecret,
    body: submitted,
  });
  const [{ _id: changed }] = trustLinks;
  const decision = { decision: 'verified', revision: 1 };
  await send('POST', `/api/operator/reviews/${changed}`, { key: operatorKey, body: decision });
  await advance(world.url, overAnHour);
  const change = { userId: user.userId, title: 'Ann about birds and bees' };
  await send('PUT', `/api/trust-links/${changed}`, { key: application.clientSecret, body: change });
  const transfer = { paymentId: 'transfer-2026-11-02-1', amount: 19, currency: 'EUR', reference: 'none' };
  await send('POST', '/api/v1/payments', { key: application.apiKey, body: transfer });
  const { subscriptionId } = await world.newSubscription('ben.marsh');
  const { subscription } = await send('GET', `/api/v1/subscriptions/${subscriptionId}`, {
    key: application.apiKey,
  });
  const texts = [`Notes ${subscription.referenceNumber}`, 'Rent of November'];
  const entries = texts.map((text) => entryXml({ amount: '19.00', name: 'Ben Marsh', text }));
  const { statement } = await send('POST', '/api/v1/bank-statements', {
    key: application.apiKey,
    body: { format: 'camt.053', file: asFile(camt(entries)) },
  });
  const page = await newPage();
  await page.goto(`${publicUrl}/console/sign-in`);
  await take(page, 'console-sign-in', 'The console: sign-in');
  await page.getByLabel('Operator key').fill(operatorKey);
  await page.keyboard.press('Enter');
  await seeHeading(page, 'Console');
  const of = `/${application.clientId}`;
  const shown: readonly (readonly [name: string, path: string, title: string])[] = [
    ['console', '', 'The console: what waits'],
    ['console-reviews', '/reviews', 'The console: the review queue'],
    ['console-review', `/reviews/${changed}`, 'The console: a link that has changed since its decision'],
    [
      'console-customers',
      `/customers?application=${application.clientId}`,
      'The console: the customers of an application',
    ],
    ['console-money', `/money${of}`, 'The console: the money of an application'],
    [
      'console-statement',
      `/money${of}/statements/${statement._id}`,
      'The console: a bank statement before it is confirmed',
    ],
    ['console-developers', `/developers${of}`, 'The console: the keys and settings of an application'],
    ['console-audit', '/audit', 'The console: what operators did'],
  ];
  for (const [name, path, title] of shown) {
    await page.goto(`${publicUrl}/console${path}`);
    await take(page, name, title);
  }
  await page.goto(`${publicUrl}/console/search?q=ann.reed%40example.com`);
  await page.getByRole('link', { name: 'Ann Reed' }).first().click();
  await page.getByRole('link', { name: /^SUB-/ }).click();
  await seeHeading(page, /^SUB-/);
  await take(page, 'console-customer', 'The console: a subscription, and why it gives access');
}

/** The tours in order: what one creates, a later one shows. */
export const tours = [home, share, consent, account, mail, billing, operators, referenceGroup];
