import { createServer } from 'node:http';
import { type Listening, listen } from '../../../../lib/local/listen.ts';
import { expectAccessible } from '../../../support/browser/accessible.ts';
import { browserOfWorker, hasChromium, type TestBrowser } from '../../../support/browser/chromium.ts';

/** A page under a policy that allows nothing but what a test adds. */
interface Served {
  body: string;
  policy?: string;
}

describe.skipIf(!hasChromium)('the tests of pages notice (skipped without Chromium)', () => {
  let browser: TestBrowser;
  let server: Listening;
  let other: Listening;
  let served: Served;

  beforeAll(async () => {
    const pages = createServer(({ url }, response) => {
      if (url !== '/') return response.writeHead(404).end();
      const { body, policy = "default-src 'none'" } = served;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-security-policy', policy);
      return response.end(
        `<!doctype html><html lang="en"><title>Page – Vouchsafe</title><body>${body}</body></html>`,
      );
    });
    const anywhere = createServer((_request, response) => response.writeHead(204).end());
    [server, other, browser] = await Promise.all([listen(pages, 0), listen(anywhere, 0), browserOfWorker()]);
  });
  afterEach(() => browser?.endTest());
  afterAll(() => Promise.all([server?.close(), other?.close()]));

  const accessible = '<main><h1>Title</h1><p>Text</p></main>';

  async function open(page: Served, visitor: Parameters<TestBrowser['newPage']>[0] = {}) {
    served = page;
    const opened = await browser.newPage(visitor);
    await opened.goto(server.url);
    return opened;
  }

  test.each([
    ['a script in the page', '<script>1</script>', /inline script/],
    ['an attribute with styles', '<p style="color:red">', /inline style/],
    ['an image', '<img alt="" src="/a.png">', /image/],
    ['a handler in an attribute', '<img alt="" src="data:," onerror="1">', /./],
  ])('%s that the policy forbids', async (_what, body, problem) => {
    await open({ body });
    await expect(browser.endTest()).rejects.toThrow(problem);
  });

  test('a style that the policy forbids, without JavaScript', async () => {
    await open({ body: '<style>p{color:red}</style>' }, { javaScript: false });
    await expect(browser.endTest()).rejects.toThrow(/Content Security Policy/);
  });

  test.each([
    ['an error that nobody catches', '<script>throw new Error("broken")</script>', /script: broken/],
    ['an error on the console', '<script>console.error("told")</script>', /console: told/],
    ['a missing image', '<img alt="" src="/a.png">', /404 for/],
  ])('%s', async (_what, body, problem) => {
    await open({ body, policy: "script-src 'unsafe-inline'" });
    await expect(browser.endTest()).rejects.toThrow(problem);
  });

  test('a request to another origin, unless it is declared', async () => {
    const body = `<img alt="" src="${other.url}/pixel">`;
    const page = { body, policy: 'img-src *' };
    await open(page);
    await expect(browser.endTest()).rejects.toThrow(`request to another origin: ${other.url}/pixel`);
    await open(page, { calls: [other.url] });
    await browser.endTest();
  });

  test('nothing in an accessible page, under a policy that allows no script', async () => {
    const policy = "default-src 'none'; require-trusted-types-for 'script'";
    await expectAccessible(await open({ body: accessible, policy }));
  });

  test.each([
    ['a field without a label', '<input>', /critical label/],
    ['a faint text', '<p style="color:#aaa">Faint</p>', /color-contrast/],
    [
      'a text that is faint in the dark scheme alone',
      '<style>@media (prefers-color-scheme:dark){p{color:#aaa}}</style><p>Faint</p>',
      /color-contrast/,
    ],
    [
      'a faint text that is folded',
      '<details><summary>More</summary><p style="color:#aaa">Faint</p></details>',
      /color-contrast/,
    ],
    ['what is wider than a small phone', '<p style="width:400px">Wide</p>', /at 320 pixels/],
  ])('%s', async (_what, added, finding) => {
    const page = await open({
      body: `<main><h1>Title</h1>${added}</main>`,
      policy: "style-src 'unsafe-inline'",
    });
    await expect(expectAccessible(page)).rejects.toThrow(finding);
  });
});
