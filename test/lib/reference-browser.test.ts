import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../functions/routes.ts';
import { listen } from '../../lib/local/listen.ts';
import { writeDeployedFiles } from '../../lib/deployed-files.ts';
import { hasChromium, Tab } from '../support/browser/tab.ts';
import { call } from '../support/call.ts';
import { samples } from '../support/thoroughness.ts';

describe.skipIf(!hasChromium)(
  'the reference in Chromium (skipped where /usr/bin/chromium is missing)',
  () => {
    let directory: string;
    let server: Awaited<ReturnType<typeof listen>>;
    let tab: Tab;
    const requested: string[] = [];

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'vouchsafe-reference-'));
      await writeDeployedFiles(directory);
      const answer = createServer(async ({ url = '', headers }, response) => {
        requested.push(url);
        process.env.FILES_DIR = directory;
        const sent =
          url === '/stage/docs' ? await call('reference.page', { headers: headers as never }) : undefined;
        response.writeHead(sent?.status ?? 404, sent?.headers).end(sent?.text);
      });
      [server, tab] = await Promise.all([listen(answer, 0), Tab.start()]);
      await tab.send('Page.enable');
      const source = `
      window.violations = [];
      document.addEventListener('securitypolicyviolation', (e) => violations.push(e.violatedDirective));
      addEventListener('error', (e) => violations.push(e.message));`;
      await tab.send('Page.addScriptToEvaluateOnNewDocument', { source });
    });
    afterAll(async () => {
      await Promise.all([tab?.close(), server?.close()]);
      await rm(directory, { recursive: true });
    });

    async function open(width = 1_200, scheme: 'light' | 'dark' = 'light') {
      await tab.emulate(width, scheme);
      await tab.open('about:blank');
      await tab.open(`${server.url}/stage/docs`);
      await tab.heading('Vouchsafe API reference');
    }
    const openDetails = () =>
      tab.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    const shown = () =>
      tab.evaluate(
        '[...document.querySelectorAll("[data-operation]")].filter((a) => !a.hidden).map((a) => a.id)',
      );

    test('it runs under its policy, and requests nothing but itself', async () => {
      requested.length = 0;
      await open();
      expect(requested).toEqual(['/stage/docs']);
      expect(await tab.evaluate('violations')).toEqual([]);
      expect(await tab.evaluate('document.getElementById("api").textContent')).toBe(
        `api=${server.url}/stage`,
      );
    });

    // All operations are written by the same code: axe takes a minute for all of them.
    const parts = `{ include: ['nav', 'header', '#conventions', '#service-vault', '#gateway', '#schemas'] }`;
    const checked = samples({ few: parts, many: 'document' });

    test.each([
      [1_200, 'light'],
      [1_200, 'dark'],
      [320, 'light'],
      [320, 'dark'],
    ] as const)(
      'axe finds nothing at %d pixels in %s mode, with every response open',
      async (width, scheme) => {
        await open(width, scheme);
        await openDetails();
        await tab.send('Runtime.evaluate', { expression: axe.source });
        const { result } = await tab.send('Runtime.evaluate', {
          expression: `axe.run(${checked}, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ impact, id, nodes }) => [impact, id, nodes.length, nodes[0].html.slice(0, 200)]))`,
          awaitPromise: true,
          returnByValue: true,
        });
        expect(result.value).toEqual([]);
      },
    );

    test('it fits a screen of 320 pixels, with every response open', async () => {
      await open(320);
      await openDetails();
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(320);
    });

    test('the filter is used with the keyboard, and says how many operations it leaves', async () => {
      await open();
      await tab.press('Tab');
      expect(await tab.evaluate('document.activeElement.innerText')).toBe('Skip to the content');
      await tab.press('Tab');
      expect(await tab.evaluate('document.activeElement.id')).toBe('search');
      await tab.type('code-send');
      expect(await shown()).toEqual(['devices.code-send']);
      expect(await tab.evaluate('document.getElementById("status").textContent')).toBe('1 operation');
      expect(
        await tab.evaluate(
          '[...document.querySelectorAll("nav li[data-of]")].filter((l) => !l.hidden).length',
        ),
      ).toBe(1);
      await tab.press('Tab');
      await tab.press('Tab');
      await tab.press('Enter');
      await tab.until('location.hash === "#devices.code-send"');
    });

    test('the first link skips the navigation, and what has the focus shows it', async () => {
      await open();
      await tab.press('Tab');
      expect(await tab.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      expect(await tab.evaluate('document.activeElement.getBoundingClientRect().top')).toBeGreaterThanOrEqual(
        0,
      );
      await tab.press('Enter');
      await tab.until('document.activeElement.id === "content"');
    });

    test('a response opens with the keyboard', async () => {
      await open();
      await tab.evaluate('document.querySelector("details summary").focus()');
      await tab.press('Enter');
      expect(await tab.evaluate('document.querySelector("details").open')).toBe(true);
    });

    test('a link to an operation that the filter hides shows it', async () => {
      await open();
      await tab.evaluate('document.getElementById("search").focus()');
      await tab.type('vault');
      await tab.evaluate('location.hash = "#shares.open"');
      await tab.until('!document.getElementById("shares.open").hidden');
      expect(await tab.evaluate('document.getElementById("search").value')).toBe('');
    });

    test('it has all its content without JavaScript', async () => {
      await tab.send('Emulation.setScriptExecutionDisabled', { value: true });
      try {
        await open();
        expect(await shown()).toEqual(expect.arrayContaining(registeredRoutes().map(({ id }) => id)));
        expect(await tab.evaluate('document.getElementById("search").checkVisibility()')).toBe(false);
      } finally {
        await tab.send('Emulation.setScriptExecutionDisabled', { value: false });
      }
    });
  },
);
