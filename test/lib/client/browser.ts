import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listen } from '../../../lib/local/listen.ts';

const timeoutMs = 100_000;
const chromium = '/usr/bin/chromium';
export const hasChromium = existsSync(chromium);

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Runs an ES module in a page of headless Chromium, from a server on 127.0.0.1 (a secure context).
 *
 * @param modules by path: `/client.js`.
 * @param body of an async function, which returns JSON.
 */
export async function runInBrowser(modules: Record<string, string>, body: string): Promise<unknown> {
  const script = `
    const run = async () => { ${body} };
    const told = await run().catch((error) => ({ failed: String(error) }));
    await fetch('/told', { method: 'POST', body: JSON.stringify(told) });`;
  const told = Promise.withResolvers<string>();
  const page = await listen(
    createServer((request, response) => {
      const code = request.url === '/script.js' ? script : modules[request.url ?? ''];
      if (request.method === 'POST') void text(request).then(told.resolve);
      response.setHeader('content-type', code === undefined ? 'text/html' : 'text/javascript');
      response.end(code ?? '<!doctype html><script type="module" src="/script.js"></script>');
    }),
    0,
  );
  const profile = await mkdtemp(join(tmpdir(), 'vouchsafe-chromium-'));
  // In its own process group: Chromium is several processes, which end together.
  const browser = spawn(chromium, [...flags, `--user-data-dir=${profile}`, page.url], {
    detached: true,
    stdio: 'ignore',
  });
  const exited = once(browser, 'exit');
  // Shorter than the timeout of the test, which would leave Chromium running.
  const late = setTimeout(() => told.reject(new Error('The page told nothing.')), timeoutMs);
  try {
    const early = exited.then(([code]) => Promise.reject(new Error(`Chromium ended early: ${code}`)));
    return JSON.parse(await Promise.race([told.promise, early]));
  } finally {
    clearTimeout(late);
    if (browser.pid !== undefined && browser.exitCode === null) process.kill(-browser.pid, 'SIGKILL');
    await exited.catch(() => {});
    await page.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
