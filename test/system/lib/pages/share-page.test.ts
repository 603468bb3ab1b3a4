import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { generate } from 'lean-qr';
import type { Page } from 'playwright-core';
import { ShareClient } from '../../../../lib/client/share.ts';
import { enter, expectAccessible, focused, seeHeading, tabTo } from '../../../support/browser/accessible.ts';
import { hasChromium, type Visitor } from '../../../support/browser/chromium.ts';
import { advance } from '../../../support/browser/clock.ts';
import { startPages } from '../../../support/browser/stack.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import { withoutTimeBar } from '../../../support/time-bar.ts';

/** Beyond the minute in which the shares of an address are counted. */
const overAMinute = 61;

const secret = 'The door opens with 4711.\n  ünïcode <b>&amp;</b>';

/** Keeps the types of the blobs for which the page makes addresses. */
const recordBlobTypes = `
  window.blobTypes = [];
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => { window.blobTypes.push(blob.type); return create.call(URL, blob); };`;
const recordShared = 'navigator.share = async (shared) => { window.shared = shared; };';

const ask = 'Someone shared a secret with you';
const gone = 'There is nothing to open';
const again = 'Open the link again';
const ready = 'Your link is ready';
const incomplete = 'This link is incomplete';

describe.skipIf(!hasChromium)('the share page in Chromium (skipped where there is none)', () => {
  const pages = startPages('sharer');
  let url: string;
  let client: ShareClient;
  let page: Page;

  beforeAll(() => {
    url = pages.world.url;
    client = new ShareClient({ apiUrl: url });
  });
  beforeEach(() => advance(url, overAMinute));

  /** Goes to an address in a new context. */
  async function open(to: string, script = '', visitor: Visitor = {}): Promise<void> {
    page = await pages.browser.newPage({
      more: { permissions: ['clipboard-read', 'clipboard-write'] },
      ...visitor,
    });
    if (script !== '') await page.addInitScript(script);
    await page.goto(to);
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const alert = () => page.getByRole('alert');
  const status = () => page.getByRole('status');
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');
  const textField = () => page.getByLabel('Text', { exact: true }).last();
  const fileField = () => page.getByLabel('Files', { exact: true }).last();
  /** Each step is accessible and fits in each width and scheme. */
  const check = () => expectAccessible(page);
  const linkShown = () => page.getByLabel('Link', { exact: true }).inputValue();
  const seeAlert = async (text: string) => {
    await alert().waitFor();
    await expect.poll(() => alert().innerText()).toContain(text);
  };

  /** The paths below the API that a page requests from now on. */
  function watchApi(): string[] {
    const seen: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) seen.push(pathname);
    });
    return seen;
  }

  async function create(): Promise<string> {
    await button('Create link').click();
    await seeHeading(page, ready);
    return linkShown();
  }
  async function seeText(text = secret): Promise<void> {
    await seeHeading(page, 'Here is the secret');
    await button('Show text').click();
    expect(await page.locator('pre').textContent()).toBe(text);
  }
  async function seeGone(link: string): Promise<void> {
    await open(link);
    await button('Open secret').click();
    await seeHeading(page, gone);
  }

  const newShare = async (options: Parameters<ShareClient['create']>[1] = {}) =>
    client.create({ text: secret }, { oneTime: true, ...options });

  test('the whole way takes the keyboard alone, each step has the focus on its heading, is accessible and fits, and a share opens once', async () => {
    await open(`${url}/s`, recordShared);
    await seeHeading(page, 'Share a secret');
    await page.keyboard.press('Tab');
    await tabTo(page, 'Text');
    await page.keyboard.press('Tab');
    await page.keyboard.type('typed by hand');
    await enter(page, 'Create link');
    await seeHeading(page, ready);
    expect(await focused(page)).toBe(ready);
    await check();
    await enter(page, 'Copy link');
    await expect.poll(() => status().innerText()).toBe('Link copied.');
    const link = String(await clipboard());
    expect(link).toBe(await linkShown());
    expect(link).toMatch(new RegExp(`^${url}/s/[a-z][\\w-]{22}#k[\\w-]{43}$`));
    // The share sheet of the device gets the link, and nothing else.
    await button('Share…').click();
    await expect.poll(() => page.evaluate('window.shared')).toEqual({ url: link });
    // The QR code has every module of the link, inside its quiet zone.
    const expected = generate(link);
    const code = page.getByRole('img', { name: 'QR code of the link' });
    const side = expected.size + 8;
    expect(await code.getAttribute('viewBox')).toBe(`0 0 ${side} ${side}`);
    const sides = Array.from({ length: side }, (_, i) => i);
    const dark = sides.flatMap((y) =>
      sides.filter((x) => expected.get(x - 4, y - 4)).map((x) => `${x} ${y}`),
    );
    const drawn = await code.locator('path').last().getAttribute('d');
    expect(drawn?.match(/\d+ \d+(?=h1v1h-1z)/g)).toEqual(dark);

    await open(link);
    await seeHeading(page, ask);
    await check();
    await enter(page, 'Open secret');
    await seeHeading(page, 'Here is the secret');
    expect(await focused(page)).toBe('Here is the secret');
    // A text is hidden until it is asked for, and copied without being shown.
    await enter(page, 'Copy text');
    await expect.poll(clipboard).toBe('typed by hand');
    expect(await page.locator('body').innerText()).not.toContain('typed by hand');
    await enter(page, 'Show text');
    expect(await page.locator('pre').textContent()).toBe('typed by hand');
    await check();
    await enter(page, 'Hide text');
    expect(await page.locator('body').innerText()).not.toContain('typed by hand');
    await seeGone(link);
  });

  test('files of 700 KB arrive byte for byte, with names and types of nobody else to see', async () => {
    const files = [
      {
        name: `${'a-very-long-plan-of-the-vault-'.repeat(4)}.bin`,
        mimeType: 'application/octet-stream',
        buffer: randomBytes(700_000),
      },
      {
        name: 'lesezeichen-äöü.html',
        mimeType: 'text/html',
        buffer: Buffer.from('<script>alert(1)</script>'),
      },
      { name: 'empty.txt', mimeType: '', buffer: Buffer.alloc(0) },
    ];
    await open(`${url}/s`);
    const bodies: string[] = [];
    page.on('request', (request) => bodies.push(request.postData() ?? ''));
    await page.getByRole('radio', { name: 'Files' }).check();
    await fileField().setInputFiles(files);
    expect(await page.locator('form').innerText()).toContain('700 KB of 1 MB');
    await check();
    const link = await create();
    expect(bodies.join('')).not.toMatch(/very-long-plan|lesezeichen|text\/html/);

    await open(link, recordBlobTypes);
    await button('Open secret').click();
    await seeHeading(page, '3 files for you');
    await check();
    for (const { name, buffer } of files) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(`Download ${name}`).click(),
      ]);
      expect(download.suggestedFilename()).toBe(name);
      expect((await readFile(await download.path())).equals(buffer)).toBe(true);
    }
    // A blob of the sender's type would be a document of this origin.
    expect(await page.evaluate('window.blobTypes')).toEqual(files.map(() => 'application/octet-stream'));
  });

  test('nothing about a share is requested before a click, whatever the link is for', async () => {
    const plain = await newShare({ receipt: true });
    const { link: withPassphrase } = await newShare({ passphrase: 'open sesame' });
    const { link } = plain;
    const broken = [link.slice(0, -2), link.replace(/#.*/, ''), link.replace('#k', '#x'), `${link}A`];
    for (const to of [link, withPassphrase, plain.receiptLink ?? '', ...broken]) {
      page = await pages.browser.newPage();
      const { paths, bytes } = await weightOf(page, to);
      expect(paths).toEqual([
        new URL(to).pathname,
        expect.stringMatching(/^\/assets\/share-page-[\w-]{43}\.js$/),
      ]);
      expect(bytes).toBeLessThanOrEqual(40_000);
      if (broken.includes(to)) await seeHeading(page, incomplete);
    }
    expect((await client.receipt(plain.receiptLink ?? '')).views).toBe(0);
  });

  test('a bot that gets the link and everything it leads to burns nothing', async () => {
    const { link, receiptLink = '' } = await newShare({ receipt: true });
    const bot = { 'user-agent': 'Slackbot-LinkExpanding 1.0', accept: '*/*' };
    const followed = new Set<string>();
    const follow = async (to: string): Promise<void> => {
      const { href, origin } = new URL(to);
      if (followed.has(href) || origin !== new URL(url).origin) return;
      followed.add(href);
      // A deployment has no link to the page of the local stack, which leads to everything.
      const text = withoutTimeBar(await (await fetch(href, { headers: bot })).text());
      for (const [, found = ''] of text.matchAll(/(?:href|src|action)="([^"]+)"/g))
        await follow(new URL(found, href).href);
    };
    await follow(link);
    await follow(receiptLink);
    expect(followed.size).toBeGreaterThanOrEqual(3);
    expect(await client.receipt(receiptLink)).toMatchObject({ status: 'stored', views: 0 });
    expect(await client.open(link)).toMatchObject({ text: secret });
  });

  test('the key and the passphrase are in no request, and the key leaves the address', async () => {
    const sent: Promise<string>[] = [];
    const watch = () =>
      page.on('request', (request) => {
        const headers = request.allHeaders().then((all) => JSON.stringify(all));
        sent.push(headers.then((all) => `${request.url()} ${all} ${request.postData() ?? ''}`));
      });
    await open(`${url}/s`);
    await textField().fill(secret);
    watch();
    await page.getByLabel('Passphrase (optional)').fill('correct horse battery');
    const link = await create();
    const key = link.replace(/.*#p/, '');

    page = await pages.browser.newPage();
    watch();
    await page.goto(link);
    await seeHeading(page, ask);
    expect(page.url()).toBe(link.replace(/#.*/, ''));
    await page.getByLabel('Passphrase', { exact: true }).fill('wrong horse');
    await button('Open secret').click();
    await alert().waitFor();
    await check();
    await page.getByLabel('Passphrase', { exact: true }).fill('correct horse battery');
    await button('Open secret').click();
    await seeText();
    const lines = await Promise.all(sent);
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of lines) {
      expect(line).not.toContain(key);
      expect(line).not.toMatch(/correct horse|4711/);
      expect(line).not.toContain('"referer"');
    }
    // The tab keeps its history and its stores.
    const kept = await page.evaluate(
      'JSON.stringify([history.state, location.href, Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])',
    );
    expect(kept).not.toContain(key);
  });

  /** Changes the text and the policy of what is below an address, which is got from the stack. */
  const changed = (from: string, change: (text: string) => string) =>
    page.route(`${from}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(`${url}/prod/`, `${url}/`) });
      const headers = new Headers(response.headers());
      const policy = headers.get('content-security-policy');
      if (policy !== null) headers.set('content-security-policy', change(policy));
      const body = change(await response.text());
      await route.fulfill({ response, headers: Object.fromEntries(headers), body });
    });

  test('it works where the API has the name of a stage before its paths', async () => {
    const prefixed = `${url}/prod`;
    page = await pages.browser.newPage();
    await changed(prefixed, (text) => text.replaceAll(`${url}/assets/`, `${prefixed}/assets/`));
    await page.goto(`${prefixed}/s`);
    await textField().fill(secret);
    const link = await create();
    expect(link.startsWith(`${prefixed}/s/`)).toBe(true);
    await page.goto('about:blank');
    await page.goto(link);
    await button('Open secret').click();
    await seeText();
  });

  test('a link whose "#" a mail gateway escaped opens, the page says that the key was seen, and the key leaves the address', async () => {
    const { link } = await newShare();
    await open(link.replace('#', '%23'));
    await seeHeading(page, ask);
    expect(page.url()).toBe(link.replace(/#.*/, ''));
    const told = await page.locator('main').innerText();
    expect(told).toContain('that program and our servers have seen it');
    expect(told).not.toContain('The key stays in this browser');
    await check();
    await button('Open secret').click();
    await seeText();
    // A key that is not whole leaves the address too.
    await open(link.replace('#', '%2523').slice(0, -2));
    await seeHeading(page, incomplete);
    expect(page.url()).toBe(link.replace(/#.*/, ''));
  });

  test('a reload removes the key, says so, and opens nothing, and another link in the same tab replaces a content only after a question', async () => {
    const { link } = await newShare();
    await open(link);
    await seeHeading(page, ask);
    const requests = watchApi();
    await page.reload();
    await seeHeading(page, again);
    await page.goto('about:blank');
    await page.goBack();
    await seeHeading(page, again);
    expect(requests).toEqual([]);
    // The link, pasted into the same tab, changes the fragment alone.
    const paste = () => page.evaluate(`location.href = ${JSON.stringify(link)}`);
    await paste();
    await seeHeading(page, ask);
    expect(page.url()).not.toContain('#');
    await button('Open secret').click();
    await seeHeading(page, 'Here is the secret');

    const [leaving] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
    expect(leaving.type()).toBe('beforeunload');
    await leaving.dismiss();
    const asked: string[] = [];
    const reply = (accepts: boolean) =>
      page.once('dialog', (dialog) => {
        asked.push(`${dialog.type()}: ${dialog.message()}`);
        return accepts ? dialog.accept() : dialog.dismiss();
      });
    reply(false);
    await paste();
    await expect.poll(() => asked).toEqual([expect.stringMatching(/^confirm: Another link was opened/)]);
    // Refused, the key leaves the address all the same.
    expect(page.url()).not.toContain('#');
    await seeText();
    reply(true);
    await paste();
    await seeHeading(page, ask);
    expect(asked).toHaveLength(2);
  });

  test('an opening that is offline sends nothing, one on its way is not left without a question, and a lost response leaves no false hope', async () => {
    // A page that is slow to paint asks too.
    await open((await newShare()).link, 'requestAnimationFrame = (call) => setTimeout(call, 1_000);');
    await page.context().setOffline(true);
    const requests = watchApi();
    await button('Open secret').click();
    await seeAlert('Nothing was sent, and nothing was opened');
    expect(requests).toEqual([]);
    await page.context().setOffline(false);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/share?*', async (route) => {
      await held.promise;
      await route.fetch();
      await route.abort();
    });
    await button('Open secret').click();
    await button('Opening…').waitFor();
    const [dialog] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })]);
    await dialog.dismiss();
    held.resolve();
    await seeAlert('may have opened the share');
    await page.unroute('**/api/share?*');
    await button('Open secret').click();
    await seeHeading(page, gone);
  });

  test('a browser that offers no encryption, or runs no scripts, is told what to do', async () => {
    const { link } = await newShare();
    await open(link, `Object.defineProperty(crypto, 'subtle', { value: undefined })`);
    const requests = watchApi();
    await seeHeading(page, 'This page needs a secure connection');
    expect(page.url()).toBe(link);
    expect(requests).toEqual([]);
    await expectAccessible(page);
    await open(link, '', { javaScript: false });
    const told = await page.locator('main').innerText();
    expect(told).toMatch(/npx http:\/\/\S+\/assets\/vouchsafe-client-\S+\.tgz open/);
    expect(told).not.toContain('Loading');
  });

  test('a receipt shows the status of a share and burns it; each step is accessible and fits', async () => {
    const { link, receiptLink = '' } = await newShare({ receipt: true });
    await open(receiptLink);
    await button('Show status').click();
    await page.locator('dl').waitFor();
    await button('Burn share…').click();
    await check();
    await button('Burn share').click();
    await page.getByText('It was burned').first().waitFor();
    await seeGone(link);
    await check();
  });
});
