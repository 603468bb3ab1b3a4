import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lowContrast } from '../support/browser/contrast.ts';
import { hasChromium, Tab } from '../support/browser/tab.ts';
import { type OAuthStack, startOAuthStack } from '../support/oauth/stack.ts';
import { authorization, newPkce } from '../support/samples/oauth.ts';

/** The folder for a screenshot of each page, if set. */
const screenshots = process.env.CONSENT_PICTURES;

describe.skipIf(!hasChromium)(
  'the consent page in Chromium (skipped where /usr/bin/chromium is missing)',
  () => {
    let stack: OAuthStack;
    let tab: Tab;

    beforeAll(async () => {
      [stack, tab] = await Promise.all([startOAuthStack(), Tab.start()]);
    });
    afterAll(() => Promise.all([tab?.close(), stack?.stop()]));
    beforeEach(async () => {
      await tab.send('Network.clearBrowserCookies');
      // Beyond the hour in which the codes of a mailbox are counted.
      const clock = { method: 'POST', headers: { 'content-type': 'application/json' } };
      await fetch(`${stack.url}/_local/clock`, { ...clock, body: JSON.stringify({ advanceSeconds: 3_601 }) });
    });

    const consentUrl = (more: Record<string, string> = {}) => {
      const query = authorization(stack.tenant, newPkce().challenge, more);
      return `${stack.url}/oauth/authorize/consent?${new URLSearchParams(query)}`;
    };

    async function typeInto(id: string, text: string) {
      await tab.until(`document.activeElement.id === '${id}'`);
      await tab.type(text);
      await tab.until(`document.activeElement.value === '${text}'`);
    }

    /** Signs in with the keyboard alone: each page focuses its field. */
    async function signIn(more: Record<string, string> = {}) {
      await tab.open(consentUrl(more));
      await tab.heading('Sign in to continue');
      await takeScreenshot('1-email');
      await typeInto('email', stack.user.email);
      await tab.press('Enter');
      await tab.heading('Check your mail');
      await takeScreenshot('2-code');
      await typeInto('code', await stack.mailedCode());
      await tab.press('Enter');
      await tab.heading('Allow Example App to act for you?');
    }

    const redirectParameters = async () => {
      await tab.heading('Welcome back');
      return Object.fromEntries(new URL(await tab.evaluate('location.href')).searchParams);
    };

    test('a user signs in with the mailed code, sees the scopes, and allows them', async () => {
      await signIn({ scope: 'profile trust_links:write vault' });
      await takeScreenshot('3-consent');
      expect(await tab.evaluate('[...document.querySelectorAll("h2")].map((h) => h.innerText)')).toEqual([
        'See your links and accounts',
        'Manage links in your name',
        'Open your encrypted vault',
      ]);
      await tab.click('button[value=allow]');
      expect(await redirectParameters()).toEqual({
        code: expect.stringMatching(/^vac_/),
        state: 'state-1',
        iss: stack.url,
      });
    });

    test('a user denies the request, and the application receives the error', async () => {
      await signIn();
      await tab.click('button[value=deny]');
      expect(await redirectParameters()).toMatchObject({
        error: 'access_denied',
        state: 'state-1',
        iss: stack.url,
      });
    });

    test('a signed-in user goes straight to the consent form, and can switch accounts', async () => {
      await signIn();
      await tab.open(consentUrl());
      await tab.heading('Allow Example App');
      await tab.click('button[value=switch]');
      await tab.heading('Sign in to continue');
    });

    test('allowing again after the back button yields no second code', async () => {
      await signIn();
      await tab.click('button[value=allow]');
      const { code } = await redirectParameters();
      await tab.evaluate('history.back()');
      await tab.heading('Allow Example App');
      await tab.click('button[value=allow]');
      expect((await redirectParameters()).code).toBe(code);
    });

    test('the flow works without JavaScript', async () => {
      await tab.send('Emulation.setScriptExecutionDisabled', { value: true });
      try {
        await signIn();
        await tab.click('button[value=allow]');
        expect(await redirectParameters()).toHaveProperty('code');
      } finally {
        await tab.send('Emulation.setScriptExecutionDisabled', { value: false });
      }
    });

    test('an error is associated with its field, which has the focus', async () => {
      await tab.open(consentUrl());
      await tab.heading('Sign in to continue');
      await typeInto('email', stack.user.email);
      await tab.press('Enter');
      await tab.heading('Check your mail');
      const right = await stack.mailedCode();
      await typeInto('code', right === '000000' ? '000001' : '000000');
      await tab.press('Enter');
      await tab.until('document.querySelector("#code-error")');
      await takeScreenshot('4-wrong-code');
      expect(await tab.evaluate('document.activeElement.id')).toBe('code');
      const described = 'document.activeElement.getAttribute("aria-describedby").split(" ")';
      expect(await tab.evaluate(`${described}.every((id) => document.getElementById(id))`)).toBe(true);
      const { nodes } = await tab.send('Accessibility.getFullAXTree');
      const field = nodes.find(({ role }: { role: { value: string } }) => role?.value === 'textbox');
      expect([field.name.value, field.description.value]).toEqual([
        '6-digit code',
        expect.stringMatching(/wrong/),
      ]);
    });

    test('another page cannot frame it', async () => {
      await tab.open(`${stack.framing}?of=${encodeURIComponent(consentUrl())}`);
      await tab.heading('Frame');
      const { frameTree } = await tab.send('Page.getFrameTree');
      expect(frameTree.childFrames).toHaveLength(1);
      expect(frameTree.childFrames[0].frame.url).toMatch(/^chrome-error:/);
    });

    test('an invalid request shows a page without a form or link', async () => {
      await tab.open(consentUrl({ redirect_uri: 'https://evil.example/' }));
      await tab.heading('This request cannot be used');
      await takeScreenshot('5-refused');
      expect(await tab.evaluate('document.querySelectorAll("form, a").length')).toBe(0);
    });

    test.each(['light', 'dark'] as const)(
      'every text has a contrast of at least 4.5 to 1 in %s mode',
      async (scheme) => {
        await tab.emulate(800, scheme);
        await signIn({ scope: 'profile vault' });
        expect(await tab.evaluate(lowContrast)).toEqual([]);
      },
    );

    test('the page fits a screen of 340 pixels', async () => {
      await tab.emulate(340, 'light');
      await signIn({ scope: 'profile trust_links:write vault' });
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(340);
    });

    async function takeScreenshot(name: string) {
      if (screenshots === undefined) return;
      const before = tab.emulation;
      mkdirSync(screenshots, { recursive: true });
      for (const [width, scheme] of [
        [900, 'light'],
        [900, 'dark'],
        [340, 'light'],
        [340, 'dark'],
      ] as const) {
        await tab.emulate(width, scheme);
        writeFileSync(join(screenshots, `${name}-${width}-${scheme}.png`), await tab.screenshot());
      }
      await tab.emulate(...before);
    }
  },
);
