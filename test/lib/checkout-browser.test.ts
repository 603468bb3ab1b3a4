import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Listening, listen } from '../../lib/local/listen.ts';
import { type Stack, startStack } from '../../lib/local/stack.ts';
import { lowContrast } from '../support/browser/contrast.ts';
import { hasChromium, Tab } from '../support/browser/tab.ts';
import type * as Payables from '../support/subscriptions/payable-invoices.ts';

/** The folder for a screenshot of each page, if set. */
const pictures = process.env.CHECKOUT_PICTURES;

describe.skipIf(!hasChromium)(
  'the payment page in Chromium (skipped where /usr/bin/chromium is missing)',
  () => {
    let stack: Stack;
    let seller: Listening;
    let tab: Tab;
    let payables: typeof Payables;

    beforeAll(async () => {
      // SDK clients keep their first endpoint.
      vi.resetModules();
      const env = { ...process.env, TABLE_NAME: `stack-${randomUUID()}`, AWS_ENDPOINT_URL_SES: undefined };
      const heading = (url = '') => (url.startsWith('/thanks') ? 'Thank you' : 'Our plans');
      const server = createServer(({ url }, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(`<h1>${heading(url)}</h1>`);
      });
      const options = { port: 0, dataDir: ':memory:', env, log: () => undefined };
      [stack, seller, tab] = await Promise.all([startStack(options), listen(server, 0), Tab.start()]);
      // The deployment key is cached too: the links are made with the key of this stack.
      payables = await import('../support/subscriptions/payable-invoices.ts');
    });
    afterAll(async () => {
      await Promise.all([tab?.close(), seller?.close(), stack?.stop()]);
      vi.resetModules();
    });

    /** A payable invoice of a seller on another origin, to which the page returns. */
    const sandboxPayable = (more: Parameters<typeof Payables.newPayable>[1] = {}) => {
      const returns = { successUrl: `${seller.url}/thanks`, cancelUrl: `${seller.url}/plans` };
      return payables.newPayable('sandbox', { ...more, subscription: { ...returns, ...more.subscription } });
    };
    const open = ({ token }: Payables.NewPayable) => tab.open(`${stack.url}/checkout/${token}`);

    test('a subscriber pays and returns to the seller; the page then shows the invoice as paid', async () => {
      const payable = await sandboxPayable();
      await open(payable);
      await tab.heading('Pay “Example App”');
      await picture('1-pay');
      await tab.click('button[value=pay]');
      await tab.heading('Thank you');
      expect((await payables.now(payable)).invoice.status).toBe('paid');
      await open(payable);
      await tab.heading('This invoice is paid');
      await picture('2-paid');
      await tab.click('main a');
      await tab.heading('Thank you');
    });

    test('works with the keyboard only, and without JavaScript', async () => {
      await tab.send('Emulation.setScriptExecutionDisabled', { value: true });
      try {
        await open(await sandboxPayable());
        await tab.heading('Pay “Example App”');
        await tab.press('Tab');
        expect(await tab.evaluate('document.activeElement.innerText')).toBe('Pay EUR 9.99');
        await tab.press('Enter');
        await tab.heading('Thank you');
      } finally {
        await tab.send('Emulation.setScriptExecutionDisabled', { value: false });
      }
    });

    test('cancelling returns to the seller, and the back button to a page that still works', async () => {
      const payable = await sandboxPayable();
      await open(payable);
      await tab.heading('Pay “Example App”');
      await tab.click('button[value=cancel]');
      await tab.heading('Our plans');
      await tab.evaluate('history.back()');
      await tab.heading('Pay “Example App”');
      await tab.click('button[value=pay]');
      await tab.heading('Thank you');
    });

    test('going back after a payment and paying again pays nothing', async () => {
      const payable = await sandboxPayable();
      await open(payable);
      await tab.heading('Pay “Example App”');
      await tab.click('button[value=pay]');
      await tab.heading('Thank you');
      const paid = await payables.now(payable);
      await tab.evaluate('history.back()');
      await tab.until(`document.querySelector('h1')?.innerText !== 'Thank you'`);
      if (await tab.evaluate(`document.querySelector('button[value=pay]') !== null`)) {
        await tab.click('button[value=pay]');
        await tab.heading('Thank you');
      }
      expect(await payables.now(payable)).toEqual(paid);
    });

    test('a reversed payment leads to the page to pay again', async () => {
      const payable = await sandboxPayable();
      await open(payable);
      await tab.heading('Pay “Example App”');
      await tab.click('button[value=pay]');
      await tab.heading('Thank you');
      await open(payable);
      await tab.heading('This invoice is paid');
      await tab.click('button[value=reverse]');
      await tab.heading('Pay “Example App”');
    });

    test('an invoice that cannot be paid has no button, and a forged link gets an error page', async () => {
      await open(await sandboxPayable({ invoice: { status: 'void' } }));
      await tab.heading('This invoice cannot be paid any more');
      await picture('3-closed');
      expect(await tab.evaluate('document.querySelectorAll("form").length')).toBe(0);
      await tab.open(`${stack.url}/checkout/inv_1.${'A'.repeat(22)}`);
      await tab.heading('There is nothing at this address');
      await picture('4-missing');
    });

    test('the page says that payment is not possible at the moment when Stripe keys are missing', async () => {
      await open(await payables.newPayable('stripe'));
      await tab.heading('Paying does not work at the moment');
      await picture('5-unavailable');
    });

    test.each(['light', 'dark'] as const)(
      'every text is readable in %s: 4.5 to 1 or more',
      async (scheme) => {
        await tab.emulate(800, scheme);
        const payable = await sandboxPayable();
        await open(payable);
        await tab.heading('Pay “Example App”');
        expect(await tab.evaluate(lowContrast)).toEqual([]);
        await tab.click('button[value=pay]');
        await tab.heading('Thank you');
        await open(payable);
        await tab.heading('This invoice is paid');
        expect(await tab.evaluate(lowContrast)).toEqual([]);
      },
    );

    test('no name makes the page wider than a screen of 320 pixels', async () => {
      await tab.emulate(320, 'light');
      const name = 'W'.repeat(120);
      const lines = [{ description: name, quantity: 1, amountMinor: 99_999_999_999 }];
      await open(await sandboxPayable({ invoice: { seller: { name }, lines, totalMinor: 99_999_999_999 } }));
      await tab.heading('Pay “W');
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await picture('6-long');
    });

    async function picture(name: string) {
      if (pictures === undefined) return;
      const before = tab.emulation;
      mkdirSync(pictures, { recursive: true });
      for (const width of [900, 360]) {
        for (const scheme of ['light', 'dark'] as const) {
          await tab.emulate(width, scheme);
          writeFileSync(join(pictures, `${name}-${width}-${scheme}.png`), await tab.screenshot());
        }
      }
      await tab.emulate(...before);
    }
  },
);
