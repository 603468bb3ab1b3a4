import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { type Listening, listen } from '../../../../../lib/local/listen.ts';
import { browserOfWorker, hasChromium, type TestBrowser } from '../../../../support/browser/chromium.ts';
import { advance as advanceClock } from '../../../../support/browser/clock.ts';
import { type StackOfWorker, stackOfWorker } from '../../../../support/subscriptions/stack.ts';

const entry = join(import.meta.dirname, '../../../../../lib/client/vault.ts');

/** Functions of the page: a client for a user, and the values of the database `vouchsafe`. */
const pageScript = `
  import * as client from '/vault.js';
  globalThis.vaultOf = (userId, more) => new client.VaultClient({ apiUrl: API, userId, ...more });
  globalThis.stored = () => new Promise((resolve, reject) => {
    const opening = indexedDB.open('vouchsafe', 1);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const all = opening.result.transaction('device').objectStore('device');
      const [names, values] = [all.getAllKeys(), all.getAll()];
      values.onsuccess = () => {
        opening.result.close();
        resolve(Object.fromEntries(names.result.map((name, i) => [name, values.result[i]])));
      };
    };
  });
  globalThis.credentials = async (userId) => (await stored())['credentials ' + API + ' ' + userId];
  globalThis.tried = (promise) => promise.then((value) => ({ value }), ({ name, code, message }) => ({ name, code, message }));
  globalThis.ready = true;`;

describe.skipIf(!hasChromium)('the client in Chromium (skipped where there is none)', () => {
  const vault = { data_blob: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ', iv: 'AAECAwQFBgcICQoL' };
  const authHash = 'ab'.repeat(32);
  let stack: StackOfWorker;
  let browser: TestBrowser;
  let page: Page;
  const origins: Listening[] = [];

  /** A page of an application on an origin of its own, with the built module. */
  let newOrigin: (before?: string) => Promise<string>;

  beforeAll(async () => {
    const bundled = build({
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      write: false,
      target: 'chrome92',
    });
    const [{ outputFiles }] = await Promise.all([
      bundled,
      stackOfWorker().then((started) => {
        stack = started;
      }),
      browserOfWorker().then((started) => {
        browser = started;
      }),
    ]);
    newOrigin = async (before = '') => {
      const page = `<!doctype html><script>${before}</script><script type="module" src="/page.js"></script>`;
      const files: Record<string, string> = {
        '/vault.js': outputFiles[0]?.text ?? '',
        '/page.js': pageScript.replaceAll('API', JSON.stringify(stack.url)),
      };
      const server = createServer(({ url = '' }, response) => {
        response.setHeader('content-type', url in files ? 'text/javascript' : 'text/html');
        response.end(files[url] ?? page);
      });
      origins.push(await listen(server, 0));
      return origins.at(-1)?.url ?? '';
    };
  });
  // The applications call the API from origins of their own.
  beforeEach(async () => {
    page = await browser.newPage({ calls: [stack.url] });
  });
  afterEach(() => browser?.endTest());
  afterAll(() => Promise.all(origins.map((origin) => origin.close())));

  /** Runs an expression in the page and waits for its promise. */
  const run = (expression: string): Promise<unknown> => page.evaluate(expression);

  async function open(url: string): Promise<void> {
    await page.goto(url);
    await page.waitForFunction('globalThis.ready === true');
  }

  /** Lets the time pass until the limit of codes allows more. The pages stay behind: their clocks are wrong then. */
  const advance = () => advanceClock(stack.url, 120);

  /** Verifies the device of the open page for a user. */
  async function verify(userId: string): Promise<void> {
    const email = `${userId}@example.com`;
    const client = `vaultOf('${userId}')`;
    expect(await run(`${client}.checkDevice()`)).toMatchObject({ verified: false });
    await run(`${client}.sendCode('${email}')`);
    const mails = await fetch(`${stack.url}/_local/mailbox?to=${email}`, {
      headers: { accept: 'application/json' },
    });
    const { messages } = (await mails.json()) as { messages: { subject: string }[] };
    const code = /\b\d{6}\b/.exec(messages[0]?.subject ?? '')?.[0];
    await run(`${client}.verifyDevice('${email}', '${code}')`);
  }

  const write = (userId: string) =>
    run(`vaultOf('${userId}').writeVault(${JSON.stringify(vault)}, { authHash: '${authHash}' })`);
  const read = (userId: string, more = '{}') =>
    run(`tried(vaultOf('${userId}', ${more}).readVault({ authHash: '${authHash}' }))`);

  test('keeps a key that cannot be exported, signs with it after a reload, and no other origin can', async () => {
    const userId = `user-${randomUUID()}`;
    const application = await newOrigin();
    await advance();
    await open(application);
    await verify(userId);
    expect(await write(userId)).toMatchObject({ version: 1 });
    expect(
      await run(`credentials('${userId}').then(async ({ current, pending }) => ({
        pending,
        token: current.token,
        extractable: current.key.privateKey.extractable,
        exported: await Promise.all(['jwk', 'pkcs8'].map((format) =>
          tried(crypto.subtle.exportKey(format, current.key.privateKey)).then(({ name }) => name))),
      }))`),
    ).toEqual({ extractable: false, exported: ['InvalidAccessError', 'InvalidAccessError'] });

    await open(application);
    expect(await read(userId)).toMatchObject({ value: vault });
    const uuid = await run(`stored().then(({ device }) => device)`);

    // Another origin, whose script knows the user, the proof of the master password and the UUID of the device.
    await open(await newOrigin());
    await run(`localStorage.setItem('vouchsafe-device-uuid', '${uuid}')`);
    expect(await read(userId)).toMatchObject({ name: 'VaultError', code: 'device_not_verified' });
    expect(await run('stored()')).toEqual({ device: uuid });

    // The service is two minutes ahead of the device, and the client on the first origin still gets through.
    await advance();
    await open(application);
    expect(await read(userId)).toMatchObject({ value: vault });
    expect(await read(userId, '{ nowMs: () => Date.now() + 86400000 }')).toMatchObject({ value: vault });
  });
});
