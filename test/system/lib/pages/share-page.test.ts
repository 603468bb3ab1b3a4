import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { generate } from 'lean-qr';
import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ShareClient } from '../../../../lib/client/share.ts';
import { expectAccessibleEverywhere } from '../../../support/browser/accessible.ts';
import {
  browserOfWorker,
  hasChromium,
  type TestBrowser,
  type Visitor,
} from '../../../support/browser/chromium.ts';
import { advance } from '../../../support/browser/clock.ts';
import { enter, focused, tabTo } from '../../../support/browser/keyboard.ts';
import { seeHeading } from '../../../support/browser/read.ts';
import { weightOf } from '../../../support/browser/weight.ts';
import { type OAuthStack, startOAuthStack } from '../../../support/oauth/stack.ts';

/** Beyond the minute in which the shares of an address are counted. */
const overAMinute = 61;

const secret = 'The door opens with 4711.\n  ünïcode <b>&amp;</b>';

/** Keeps the types of the blobs for which the page makes addresses. */
const recordBlobTypes = `
  window.blobTypes = [];
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => { window.blobTypes.push(blob.type); return create.call(URL, blob); };`;

const ask = 'Someone shared a secret with you';
const gone = 'There is nothing to open';
const again = 'Open the link again';
const ready = 'Your link is ready';

describe.skipIf(!hasChromium)('the share page in Chromium (skipped where there is none)', () => {
  let stack: OAuthStack;
  let browser: TestBrowser;
  let client: ShareClient;
  let page: Page;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startOAuthStack(), browserOfWorker()]);
    client = new ShareClient({ apiUrl: stack.url });
  });
  beforeEach(() => advance(stack.url, overAMinute));
  afterEach(() => browser?.endTest());
  afterAll(() => Promise.all([browser?.close(), stack?.stop()]));

  /** Goes to an address in a new context. */
  async function open(url: string, visitor: Visitor = {}): Promise<void> {
    page = await browser.newPage({
      more: { permissions: ['clipboard-read', 'clipboard-write'] },
      ...visitor,
    });
    await page.goto(url);
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const alert = () => page.getByRole('alert');
  const status = () => page.getByRole('status');
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');

  const isOfShares = (request: Request) => new URL(request.url()).pathname.startsWith('/api/');
  /** The requests about shares that a page makes from now on. */
  function watchApi(): string[] {
    const seen: string[] = [];
    page.on('request', (request) => {
      if (isOfShares(request)) seen.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    return seen;
  }

  /** Creates a share of text on the page and returns its link. */
  async function createOnPage(
    text = secret,
    choose: () => Promise<unknown> = async () => {},
  ): Promise<string> {
    await open(`${stack.url}/s`);
    await page.getByLabel('Text', { exact: true }).last().fill(text);
    await choose();
    await button('Create link').click();
    await seeHeading(page, ready);
    return page.getByLabel('Link', { exact: true }).inputValue();
  }

  async function seeText(text = secret): Promise<void> {
    await seeHeading(page, 'Here is the secret');
    await button('Show text').click();
    expect(await page.locator('pre').textContent()).toBe(text);
  }

  const newShare = async (options: Parameters<ShareClient['create']>[1] = {}) =>
    client.create({ text: secret }, { oneTime: true, ...options });

  describe('creating and opening', () => {
    test('a text is created in one browser, and opened in another exactly once', async () => {
      const link = await createOnPage();
      expect(link).toMatch(new RegExp(`^${stack.url}/s/[a-z][\\w-]{22}#k[\\w-]{43}$`));
      await open(link);
      await seeHeading(page, ask);
      await button('Open secret').click();
      await seeText();
      await open(link);
      await button('Open secret').click();
      await seeHeading(page, gone);
    });

    test('files of 700 KB arrive byte for byte, with names and types of nobody else to see', async () => {
      const large = randomBytes(700_000);
      const files = [
        { name: 'plan of the vault.bin', mimeType: 'application/octet-stream', buffer: large },
        {
          name: 'lesezeichen-äöü.html',
          mimeType: 'text/html',
          buffer: Buffer.from('<script>alert(1)</script>'),
        },
      ];
      await open(`${stack.url}/s`);
      const bodies: string[] = [];
      page.on('request', (request) => bodies.push(request.postData() ?? ''));
      await page.getByRole('radio', { name: 'Files' }).check();
      await page.getByLabel('Files', { exact: true }).last().setInputFiles(files);
      expect(await page.locator('form').innerText()).toContain('700 KB of 1 MB');
      await button('Create link').click();
      await seeHeading(page, ready);
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      expect(bodies.join('')).not.toMatch(/plan of|lesezeichen|text\/html/);

      page = await browser.newPage();
      await page.addInitScript(recordBlobTypes);
      await page.goto(link);
      await button('Open secret').click();
      await seeHeading(page, '2 files for you');
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

    test('a wrong passphrase opens nothing, and the right one opens it afterwards', async () => {
      const link = await createOnPage(secret, () =>
        page.getByLabel('Passphrase (optional)').fill('grüne Tür'),
      );
      expect(link).toMatch(/#p[\w-]{43}$/);
      await open(link);
      await page.getByLabel('Passphrase', { exact: true }).fill('blaue Tür');
      await button('Open secret').click();
      await alert().waitFor();
      expect(await alert().innerText()).toContain('This passphrase is wrong. Nothing was opened');
      await expect.poll(() => focused(page)).toBe('Passphrase');
      await page.getByLabel('Passphrase', { exact: true }).fill('grüne Tür');
      await button('Open secret').click();
      await seeText();
    });

    test('a share for several opens as often as it says', async () => {
      const link = await createOnPage(secret, async () => {
        await page.getByRole('radio', { name: 'Several times' }).check();
        await page.getByLabel('How many times (2 to 100)').fill('2');
      });
      for (const _ of [1, 2]) {
        await open(link);
        await button('Open secret').click();
        await seeText();
      }
      await open(link);
      await button('Open secret').click();
      await seeHeading(page, gone);
    });

    test('the whole way takes the keyboard alone, and each step has the focus on its heading', async () => {
      await open(`${stack.url}/s`);
      await seeHeading(page, 'Share a secret');
      await page.keyboard.press('Tab');
      await tabTo(page, 'Text');
      await page.keyboard.press('Tab');
      await page.keyboard.type('typed by hand');
      await enter(page, 'Create link');
      await seeHeading(page, ready);
      expect(await focused(page)).toBe(ready);
      await enter(page, 'Copy link');
      await expect.poll(() => status().innerText()).toBe('Link copied.');
      const link = String(await clipboard());
      expect(link).toBe(await page.getByLabel('Link', { exact: true }).inputValue());

      await open(link);
      await seeHeading(page, ask);
      await enter(page, 'Open secret');
      await seeHeading(page, 'Here is the secret');
      expect(await focused(page)).toBe('Here is the secret');
      await enter(page, 'Show text');
      expect(await page.locator('pre').textContent()).toBe('typed by hand');
    });

    test('a text is hidden until it is asked for, and copied without being shown', async () => {
      await open((await newShare()).link);
      await button('Open secret').click();
      await seeHeading(page, 'Here is the secret');
      await button('Copy text').click();
      await expect.poll(clipboard).toBe(secret);
      expect(await page.locator('body').innerText()).not.toContain('4711');
      await button('Show text').click();
      await button('Hide text').click();
      expect(await page.locator('body').innerText()).not.toContain('4711');
    });

    test('the QR code has every module of the link, inside its quiet zone', async () => {
      const expected = generate(await createOnPage());
      const code = page.getByRole('img', { name: 'QR code of the link' });
      const side = expected.size + 8;
      expect(await code.getAttribute('viewBox')).toBe(`0 0 ${side} ${side}`);
      const sides = Array.from({ length: side }, (_, i) => i);
      const dark = sides.flatMap((y) =>
        sides.filter((x) => expected.get(x - 4, y - 4)).map((x) => `${x} ${y}`),
      );
      const drawn = await code.locator('path').last().getAttribute('d');
      expect(drawn?.match(/\d+ \d+(?=h1v1h-1z)/g)).toEqual(dark);
    });

    test('the share sheet of the device gets the link, and nothing else', async () => {
      page = await browser.newPage();
      await page.addInitScript('navigator.share = async (shared) => { window.shared = shared; };');
      await page.goto(`${stack.url}/s`);
      await page.getByLabel('Text', { exact: true }).last().fill(secret);
      await button('Create link').click();
      await button('Share…').click();
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      await expect.poll(() => page.evaluate('window.shared')).toEqual({ url: link });
    });
  });

  describe('what is requested', () => {
    test('nothing about a share is requested before a click, whatever the link is for', async () => {
      const plain = await newShare({ receipt: true });
      const { link: withPassphrase } = await newShare({ passphrase: 'open sesame' });
      for (const link of [plain.link, withPassphrase, plain.receiptLink ?? '']) {
        const { paths } = await weightOf(await browser.newPage(), link);
        expect(paths).toEqual([
          new URL(link).pathname,
          expect.stringMatching(/^\/assets\/share-page-[\w-]{43}\.js$/),
        ]);
      }
      expect((await client.receipt(plain.receiptLink ?? '')).views).toBe(0);
    });

    test('a bot that gets the link and everything it leads to burns nothing', async () => {
      const { link, receiptLink = '' } = await newShare({ receipt: true });
      const bot = { 'user-agent': 'Slackbot-LinkExpanding 1.0', accept: '*/*' };
      const followed = new Set<string>();
      const follow = async (url: string): Promise<void> => {
        const { href, origin } = new URL(url);
        if (followed.has(href) || origin !== new URL(stack.url).origin) return;
        followed.add(href);
        const text = await (await fetch(href, { headers: bot })).text();
        for (const [, to = ''] of text.matchAll(/(?:href|src|action)="([^"]+)"/g))
          await follow(new URL(to, href).href);
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
      await open(`${stack.url}/s`);
      watch();
      await page.getByLabel('Text', { exact: true }).last().fill(secret);
      await page.getByLabel('Passphrase (optional)').fill('correct horse battery');
      await button('Create link').click();
      await seeHeading(page, ready);
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      const key = link.replace(/.*#p/, '');

      page = await browser.newPage();
      watch();
      await page.goto(link);
      await seeHeading(page, ask);
      expect(page.url()).toBe(link.replace(/#.*/, ''));
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
      // What the tab keeps: its history, and its stores.
      const kept = await page.evaluate(
        'JSON.stringify([history.state, location.href, Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])',
      );
      expect(kept).not.toContain(key);
    });

    /** Changes the text and the policy of what is below an address, which is got from the stack. */
    const changed = (from: string, change: (text: string) => string) =>
      page.route(`${from}/**`, async (route) => {
        const url = route.request().url().replace(`${stack.url}/prod/`, `${stack.url}/`);
        const response = await route.fetch({ url });
        const headers = new Headers(response.headers());
        const policy = headers.get('content-security-policy');
        if (policy !== null) headers.set('content-security-policy', change(policy));
        await route.fulfill({
          response,
          headers: Object.fromEntries(headers),
          body: change(await response.text()),
        });
      });

    test('it works where the API has the name of a stage before its paths', async () => {
      const prefixed = `${stack.url}/prod`;
      page = await browser.newPage();
      await changed(prefixed, (text) => text.replaceAll(`${stack.url}/assets/`, `${prefixed}/assets/`));
      await page.goto(`${prefixed}/s`);
      await page.getByLabel('Text', { exact: true }).last().fill(secret);
      await button('Create link').click();
      await seeHeading(page, ready);
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      expect(link.startsWith(`${prefixed}/s/`)).toBe(true);
      await page.goto('about:blank');
      await page.goto(link);
      await button('Open secret').click();
      await seeText();
    });

    test('it works with the script of another version, while two are deployed', async () => {
      const { link } = await newShare();
      page = await browser.newPage();
      const other = `share-page-${'A'.repeat(43)}.js`;
      await changed(`${stack.url}/s`, (text) => text.replaceAll(/share-page-[\w-]{43}\.js/g, other));
      const script = page.waitForResponse(`**/assets/${other}`);
      await page.goto(link);
      expect((await script).headers()['cache-control']).toBe('no-store');
      await button('Open secret').click();
      await seeText();
    });

    test('the page and its script have at most 40 KB compressed', async () => {
      const { bytes, requests } = await weightOf(await browser.newPage(), `${stack.url}/s`);
      expect(requests).toBe(2);
      expect(bytes).toBeLessThanOrEqual(40_000);
    });
  });

  describe('what goes wrong', () => {
    test('a reload removes the key, says so, and opens nothing', async () => {
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
      await page.evaluate(`location.href = ${JSON.stringify(link)}`);
      await seeHeading(page, ask);
      expect(page.url()).not.toContain('#');
      await button('Open secret').click();
      await seeText();
    });

    test('a double click creates one share, and opens it once', async () => {
      await open(`${stack.url}/s`);
      const created = watchApi();
      await page.getByLabel('Text', { exact: true }).last().fill(secret);
      await button('Create link').dblclick();
      await seeHeading(page, ready);
      expect(created).toEqual(['POST /api/share']);
      await open(await page.getByLabel('Link', { exact: true }).inputValue());
      const opened = watchApi();
      await button('Open secret').dblclick();
      await seeText();
      expect(opened).toEqual(['GET /api/share']);
    });

    test('offline, nothing is sent, nothing is lost, and it goes on when the network is back', async () => {
      await open(`${stack.url}/s`);
      await page.getByLabel('Text', { exact: true }).last().fill(secret);
      await page.context().setOffline(true);
      await button('Create link').click();
      await alert().waitFor();
      expect(await alert().innerText()).toContain('You are offline. What you entered is still here');
      await page.context().setOffline(false);
      await button('Create link').click();
      await seeHeading(page, ready);

      await open(await page.getByLabel('Link', { exact: true }).inputValue());
      await page.context().setOffline(true);
      const requests = watchApi();
      await button('Open secret').click();
      await alert().waitFor();
      expect(await alert().innerText()).toContain('Nothing was sent, and nothing was opened');
      expect(requests).toEqual([]);
      await page.context().setOffline(false);
      await button('Open secret').click();
      await seeText();
    });

    test('a response that is lost on the way leaves no false hope', async () => {
      await open((await newShare()).link);
      await page.route('**/api/share?*', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await button('Open secret').click();
      await alert().waitFor();
      expect(await alert().innerText()).toContain('may have opened the share');
      await page.unroute('**/api/share?*');
      await button('Open secret').click();
      await seeHeading(page, gone);
    });

    test('an upload that breaks off, or is cancelled, keeps what was entered', async () => {
      await open(`${stack.url}/s`);
      await page.getByLabel('Text', { exact: true }).last().fill(secret);
      let release: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/api/share', async (route) => {
        await held;
        await route.abort();
      });
      await button('Create link').click();
      await expect.poll(() => focused(page)).toBe('Cancel');
      expect(await page.getByRole('progressbar').count()).toBe(1);
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('Create link');
      expect(await status().innerText()).toBe('Cancelled. No link was created.');
      release();
      await button('Create link').click();
      await alert().waitFor();
      expect(await alert().innerText()).toContain('What you entered is still here');
      await page.unroute('**/api/share');
      await button('Create link').click();
      await seeHeading(page, ready);
    });

    test('opened, expired, burned and unknown shares look the same', async () => {
      const opened = await newShare();
      await client.open(opened.link);
      const burned = await newShare({ receipt: true });
      await client.burn(burned.receiptLink ?? '');
      const expired = await newShare({ expiresInHours: 0.01 });
      const unknown = opened.link.replace(/\/s\/[a-z][\w-]{22}/, `/s/a${'A'.repeat(22)}`);
      await advance(stack.url, overAMinute);
      const texts = new Set<string>();
      for (const link of [opened.link, burned.link, expired.link, unknown]) {
        await open(link);
        await button('Open secret').click();
        await seeHeading(page, gone);
        texts.add(await page.locator('main').innerText());
      }
      expect(texts.size).toBe(1);
    });

    test('a link that lost a part says so, and requests nothing', async () => {
      const { link } = await newShare();
      for (const broken of [
        link.slice(0, -2),
        link.replace(/#.*/, ''),
        link.replace('#k', '#x'),
        `${link}%20`,
      ]) {
        page = await browser.newPage();
        const { paths } = await weightOf(page, broken);
        expect(paths).toHaveLength(2);
        await seeHeading(page, 'This link is incomplete');
      }
      expect(await client.open(link)).toMatchObject({ text: secret });
    });

    test('a key that was changed hands out nothing', async () => {
      const { link } = await newShare();
      const last = link.at(-3) === 'A' ? 'B' : 'A';
      await open(link.slice(0, -3) + last + link.slice(-2));
      await button('Open secret').click();
      await seeHeading(page, 'This link is incomplete');
      expect(await client.open(link)).toMatchObject({ text: secret });
    });

    test('too many requests, and a failure of the service, say how to go on', async () => {
      await open(`${stack.url}/s`);
      await page.getByLabel('Text', { exact: true }).last().fill(secret);
      await page.route('**/api/share', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '40' },
          json: { error: 'Too many requests' },
        }),
      );
      await button('Create link').click();
      await alert().waitFor();
      expect(await alert().innerText()).toContain('Try again in 40 seconds');
      await page.unroute('**/api/share');
      await page.route('**/api/share', (route) =>
        route.fulfill({
          status: 500,
          headers: { 'x-audit-id': 'audit-7' },
          json: { error: 'Share creation failed' },
        }),
      );
      await button('Create link').click();
      await expect.poll(() => alert().innerText()).toContain('quote audit-7');
    });

    test('files that are dropped anywhere on the page are shared, and leave it in place', async () => {
      await open(`${stack.url}/s`);
      await page.getByLabel('Text', { exact: true }).last().fill(secret);
      const dataTransfer = await page.evaluateHandle(`(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['dropped'], 'dropped.txt'));
        return transfer;
      })()`);
      await page.dispatchEvent('header', 'drop', { dataTransfer });
      await page.getByText('dropped.txt').waitFor();
      await page.getByRole('radio', { name: 'Text' }).check();
      expect(await page.getByLabel('Text', { exact: true }).last().inputValue()).toBe(secret);
    });

    test('a content that may be gone for good is not left without a question', async () => {
      await open((await newShare()).link);
      await button('Open secret').click();
      await seeHeading(page, 'Here is the secret');
      const [dialog] = await Promise.all([
        page.waitForEvent('dialog'),
        page.close({ runBeforeUnload: true }),
      ]);
      expect(dialog.type()).toBe('beforeunload');
      await dialog.dismiss();
      await seeText();
    });

    test('another link in the same tab replaces a content only after a question', async () => {
      const { link } = await newShare();
      await open(link);
      await button('Open secret').click();
      await seeHeading(page, 'Here is the secret');
      const asked: string[] = [];
      const reply = (accepts: boolean) =>
        page.once('dialog', (dialog) => {
          asked.push(`${dialog.type()}: ${dialog.message()}`);
          return accepts ? dialog.accept() : dialog.dismiss();
        });
      const paste = () => page.evaluate(`location.href = ${JSON.stringify(link)}`);
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

    test('another fragment keeps what was entered for a new share', async () => {
      await open(`${stack.url}/s`);
      await page.getByLabel('Text', { exact: true }).last().fill(secret);
      await page.evaluate(`location.hash = 'top'`);
      // After the event, which the browser queues.
      await page.evaluate('new Promise((done) => setTimeout(done))');
      expect(await page.getByLabel('Text', { exact: true }).last().inputValue()).toBe(secret);
    });

    test('leaving while the response is on its way takes a question', async () => {
      await open((await newShare()).link);
      let goOn = () => {};
      const held = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await page.route('**/api/share?*', async (route) => {
        await held;
        await route.continue();
      });
      await button('Open secret').click();
      await button('Opening…').waitFor();
      const [dialog] = await Promise.all([
        page.waitForEvent('dialog'),
        page.close({ runBeforeUnload: true }),
      ]);
      await dialog.dismiss();
      goOn();
      await seeText();
    });

    test('a browser that offers no encryption is told so, and the link stays whole', async () => {
      const { link } = await newShare();
      for (const url of [link, `${stack.url}/s`]) {
        page = await browser.newPage();
        await page.addInitScript(`Object.defineProperty(crypto, 'subtle', { value: undefined })`);
        const requests = watchApi();
        await page.goto(url);
        await seeHeading(page, 'This page needs a secure connection');
        expect(page.url()).toBe(url);
        expect(requests).toEqual([]);
        await expectAccessibleEverywhere(page);
      }
    });

    test('an empty file is shared as well', async () => {
      await open(`${stack.url}/s`);
      await page.getByRole('radio', { name: 'Files' }).check();
      const empty = { name: 'empty.txt', mimeType: '', buffer: Buffer.alloc(0) };
      await page.getByLabel('Files', { exact: true }).last().setInputFiles([empty]);
      await button('Create link').click();
      await seeHeading(page, ready);
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      expect(await client.open(link)).toMatchObject({
        files: [{ name: 'empty.txt', bytes: new Uint8Array() }],
      });
    });

    test('beside the button stands what is chosen, and never "No file chosen" while something is', async () => {
      await open(`${stack.url}/s`);
      await page.getByRole('radio', { name: 'Files' }).check();
      const files = page.getByLabel('Files', { exact: true }).last();
      const held = () =>
        page.evaluate("[...document.querySelector('input[type=file]').files].map(({ name }) => name)");
      const file = (name: string) => ({ name, mimeType: '', buffer: Buffer.from(name) });
      await files.setInputFiles([file('one.txt')]);
      await expect.poll(held).toEqual(['one.txt']);
      await files.setInputFiles([file('two.txt')]);
      await expect.poll(held).toEqual(['one.txt', 'two.txt']);
      // As when the choice is cancelled.
      await files.setInputFiles([]);
      await expect.poll(held).toEqual(['one.txt', 'two.txt']);
      await button('Remove one.txt').click();
      await expect.poll(held).toEqual(['two.txt']);
      await button('Remove two.txt').click();
      await expect.poll(held).toEqual([]);
    });

    test('more than a share holds cannot be submitted', async () => {
      await open(`${stack.url}/s`);
      await page.getByRole('radio', { name: 'Files' }).check();
      const half = { name: 'half.bin', mimeType: '', buffer: Buffer.alloc(600_000) };
      const files = page.getByLabel('Files', { exact: true }).last();
      await files.setInputFiles([half]);
      await files.setInputFiles([half]);
      expect(await alert().innerText()).toContain('This is 1.2 MB. A share holds up to 1 MB');
      expect(await button('Create link').isDisabled()).toBe(true);
      await button('Remove half.bin').first().click();
      expect(await button('Create link').isDisabled()).toBe(false);
    });

    test('without JavaScript the page says what to do', async () => {
      await open((await newShare()).link, { javaScript: false });
      expect(await page.locator('main').innerText()).toMatch(
        /npx http:\/\/\S+\/assets\/vouchsafe-client-\S+\.tgz open/,
      );
      expect(await page.locator('main').innerText()).not.toContain('Loading');
    });
  });

  describe('the receipt', () => {
    test('tells when a share was opened', async () => {
      const { link, receiptLink = '' } = await newShare({ receipt: true });
      await open(receiptLink);
      await seeHeading(page, 'Receipt');
      await button('Show status').click();
      await page.getByText('It has not been opened yet.').first().waitFor();
      await client.open(link);
      await button('Refresh').click();
      await page.getByText('It was opened.').first().waitFor();
      expect(await page.locator('dl').innerText()).toMatch(/Shared[\s\S]*Opened[\s\S]*Expires/);
      expect(await button(/Burn/).count()).toBe(0);
    });

    test('burns a share after a question, and nobody can open it then', async () => {
      const { link, receiptLink = '' } = await newShare({ receipt: true });
      await open(receiptLink);
      await enter(page, 'Show status');
      await enter(page, 'Burn share…');
      await expect.poll(() => focused(page)).toBe('Keep share');
      await page.keyboard.press('Enter');
      expect(await client.receipt(receiptLink)).toMatchObject({ status: 'stored' });
      await enter(page, 'Burn share…');
      await page.keyboard.press('Shift+Tab');
      await enter(page, 'Burn share');
      await page.getByText('It was burned before anyone opened it.').first().waitFor();
      await open(link);
      await button('Open secret').click();
      await seeHeading(page, gone);
    });

    test('of an unknown share is absent', async () => {
      await open(`${stack.url}/s/o${'A'.repeat(22)}#rvsr_${'A'.repeat(22)}`);
      await button('Show status').click();
      await seeHeading(page, 'Receipt not found');
    });
  });

  test('each step is accessible and fits in each width and scheme', async () => {
    const check = () => expectAccessibleEverywhere(page);
    await open(`${stack.url}/s`);
    await seeHeading(page, 'Share a secret');
    await page.getByRole('radio', { name: 'Several times' }).check();
    await check();
    await page.getByRole('radio', { name: 'Files' }).check();
    const name = `${'a-very-long-name-'.repeat(6)}.txt`;
    await page
      .getByLabel('Files', { exact: true })
      .last()
      .setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from('x') }]);
    await check();
    await button('Create link').click();
    await seeHeading(page, ready);
    await check();
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    const receiptLink = await page.getByLabel('Receipt link').inputValue();

    await open(link);
    await seeHeading(page, ask);
    await check();
    await button('Open secret').click();
    await seeHeading(page, '1 file for you');
    await check();

    const { link: textLink } = await newShare({ passphrase: 'open sesame' });
    await open(textLink);
    await page.getByLabel('Passphrase', { exact: true }).fill('wrong');
    await button('Open secret').click();
    await alert().waitFor();
    await check();
    await page.getByLabel('Passphrase', { exact: true }).fill('open sesame');
    await button('Open secret').click();
    await seeHeading(page, 'Here is the secret');
    await button('Show text').click();
    await check();

    await open(receiptLink);
    await button('Show status').click();
    await page.locator('dl').waitFor();
    await button('Burn share…').click();
    await check();
    await button('Burn share').click();
    await page.getByText('It was burned').first().waitFor();
    await open(link);
    await button('Open secret').click();
    await seeHeading(page, gone);
    await check();
  });
});
