import { createServer } from 'node:http';
import { listen } from '../../../../lib/local/listen.ts';
import { startBrowser } from '../../../support/browser/chromium.ts';

/**
 * Runs an ES module in a page of headless Chromium, from a server on 127.0.0.1 (a secure context).
 *
 * @param modules by path: `/client.js`.
 * @param body of an async function, which returns JSON.
 * @throws Error with what went wrong in the page.
 */
export async function runInBrowser(modules: Record<string, string>, body: string): Promise<unknown> {
  const server = createServer(({ url = '' }, response) => {
    const code = modules[url];
    response.setHeader('content-type', code === undefined ? 'text/html' : 'text/javascript');
    response.end(code ?? '<!doctype html>');
  });
  const [origin, browser] = await Promise.all([listen(server, 0), startBrowser()]);
  try {
    const page = await browser.newPage();
    await page.goto(origin.url);
    const told = await page.evaluate(`(async () => { ${body} })()`);
    await browser.endTest();
    return told;
  } finally {
    await Promise.all([browser.close(), origin.close()]);
  }
}
