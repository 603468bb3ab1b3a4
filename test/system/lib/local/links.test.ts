import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../../../support/server.ts';

/** More pages than a fresh stack has. */
const mostPages = 400;
/** Opening a share can use it up. The endpoints of OAuth are named on pages, and no browser opens them by themselves. */
const isNotOpened = (url: URL) => /^\/(api\/share|api\/oauth|oauth)/.test(url.pathname);

let stack: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  stack = await startServer();
});
afterAll(() => void stack.child.kill('SIGTERM'));

/** The links of a page and of the mails in its frames, resolved against its address. */
function linksIn(page: string, base: string): URL[] {
  const text = page.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
  const attributes = [...text.matchAll(/\shref="([^"#]+)/g)].map(([, href = '']) => href);
  const plain = [...text.matchAll(/https?:\/\/(?:localhost|127\.0\.0\.1)[^\s"'<>)]*/g)].map(([url]) => url);
  return [...attributes, ...plain].flatMap((link) => URL.parse(link, base) ?? []);
}

test('every link of every page and mail of a fresh stack leads somewhere', async () => {
  const { port } = new URL(stack.url);
  const isOfThisMachine = ({ hostname }: URL) => ['localhost', '127.0.0.1'].includes(hostname);
  const origin = `http://localhost:${port}`;
  const waiting = ['/', '/_local', '/_local/demo', '/_local/mailbox', '/_local/webhooks'].map(
    (path) => new URL(path, origin),
  );
  const known = new Set(waiting.map(String));
  const dead: string[] = [];
  // With the first view of the page, the demo people get their mail.
  await fetch(`${stack.url}/_local`);
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    const response = await fetch(url, { headers: { accept: 'text/html,*/*' } });
    if (response.status >= 400) dead.push(`${response.status} ${url}`);
    const isPage = /^text\/html/.test(response.headers.get('content-type') ?? '');
    const body = isPage ? await response.text() : '';
    for (const link of linksIn(body, response.url)) {
      link.hash = '';
      if (!isOfThisMachine(link) || known.has(String(link)) || known.size >= mostPages) continue;
      known.add(String(link));
      // Port 8080 is that of the client application, which runs elsewhere.
      if (link.port === port && !isNotOpened(link)) waiting.push(link);
      else if (link.port === '') dead.push(`no port ${link} on ${url}`);
    }
  }
  expect(dead).toEqual([]);
  expect([...known].filter((url) => url.includes('/billing/')).length).toBeGreaterThan(3);
});
