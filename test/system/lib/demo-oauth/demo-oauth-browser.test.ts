import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoOAuth } from '../../../../lib/demo-oauth/demo-oauth.ts';
import { type Listening, listen } from '../../../../lib/local/listen.ts';
import { expectAccessible } from '../../../support/browser/accessible.ts';
import { browserOfWorker, hasChromium, type TestBrowser } from '../../../support/browser/chromium.ts';
import { type StackOfWorker, stackOfWorker } from '../../../support/subscriptions/stack.ts';

describe.skipIf(!hasChromium)('the demo client in Chromium (skipped where there is none)', () => {
  let stack: StackOfWorker;
  let browser: TestBrowser;
  let other: Listening;

  beforeAll(async () => {
    stack = await stackOfWorker();
    await stack.clockBy(3_601);
    browser = await browserOfWorker();
    other = await listen(createServer(), 0);
  });
  afterEach(() => browser?.endTest());
  afterAll(async () => {
    await browser?.close();
    await other?.close();
  });

  test('a person connects it with the keyboard, and reads every step on its page', async () => {
    const opened = Promise.withResolvers<{ address: string; email: string }>();
    let said = '';
    const code = demoOAuth(
      ['--url', stack.url, '--redirect-uri', `http://localhost:${new URL(other.url).port}/callback`],
      {
        env: {},
        out: () => undefined,
        say: (text) => {
          said += text;
          const [, address, email] = /Open (\S+) in a browser.\nSign in as (\S+)\. /.exec(said) ?? [];
          if (address !== undefined && email !== undefined) opened.resolve({ address, email });
        },
        signal: new AbortController().signal,
      },
    );
    const { address, email } = await opened.promise;
    const page = await browser.newPage({ width: 320 });
    page.setDefaultTimeout(10_000);
    await page.goto(address);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Connect' }).press('Enter');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('E-mail address').press('Enter');
    await page.getByLabel('6-digit code').waitFor();
    const mailbox = await fetch(`${stack.url}/_local/mailbox?to=${encodeURIComponent(email)}`);
    const { messages } = (await mailbox.json()) as { messages: { subject: string }[] };
    await page.getByLabel('6-digit code').fill(/\d{6}/.exec(messages[0]?.subject ?? '')?.[0] ?? '');
    await page.getByLabel('6-digit code').press('Enter');
    await page.getByRole('button', { name: 'Allow' }).press('Enter');
    await page.getByRole('heading', { name: 'It works' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(6);
    await expectAccessible(page);
    expect(await code).toBe(0);
  });
});
