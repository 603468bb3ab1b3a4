import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lowContrast } from '../support/contrast.ts';
import { hasChromium, Tab } from '../support/devtools.ts';
import { authorization, newPkce } from '../support/oauth-samples.ts';
import { type OAuthStack, startOAuthStack } from '../support/oauth-stack.ts';

/** Pictures of each step go there when it is named. */
const pictures = process.env.CONSENT_PICTURES;

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
      // Past the limit on codes.
      const clock = { method: 'POST', headers: { 'content-type': 'application/json' } };
      await fetch(`${stack.url}/_local/clock`, { ...clock, body: JSON.stringify({ advanceSeconds: 61 }) });
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

    /** Signs in with the keyboard alone: the fields have the focus as they come. */
    async function signIn(more: Record<string, string> = {}) {
      await tab.open(consentUrl(more));
      await tab.heading('Sign in to continue');
      await picture('1-email');
      await typeInto('email', stack.user.email);
      await tab.press('Enter');
      await tab.heading('Check your mail');
      await picture('2-code');
      await typeInto('code', await stack.mailedCode());
      await tab.press('Enter');
      await tab.heading('Allow Example App to act for you?');
    }

    const landed = async () => {
      await tab.heading('Welcome back');
      return Object.fromEntries(new URL(await tab.evaluate('location.href')).searchParams);
    };

    test('a user signs in with the mailed code, reads what is asked for, and allows it', async () => {
      await signIn({ scope: 'profile trust_links:write vault' });
      await picture('3-consent');
      expect(await tab.evaluate('[...document.querySelectorAll("h2")].map((h) => h.innerText)')).toEqual([
        'See your links and accounts',
        'Manage links in your name',
        'Open your encrypted vault',
      ]);
      await tab.click('button[value=allow]');
      expect(await landed()).toEqual({
        code: expect.stringMatching(/^vac_/),
        state: 'state-1',
        iss: stack.url,
      });
    });

    test('a user denies it, and the application is told', async () => {
      await signIn();
      await tab.click('button[value=deny]');
      expect(await landed()).toMatchObject({ error: 'access_denied', state: 'state-1', iss: stack.url });
    });

    test('a signed-in user is asked right away the next time, and can switch accounts', async () => {
      await signIn();
      await tab.open(consentUrl());
      await tab.heading('Allow Example App');
      await tab.click('button[value=switch]');
      await tab.heading('Sign in to continue');
    });

    test('back from the application, allowing it again gives no second code', async () => {
      await signIn();
      await tab.click('button[value=allow]');
      const { code } = await landed();
      await tab.evaluate('history.back()');
      await tab.heading('Allow Example App');
      await tab.click('button[value=allow]');
      expect((await landed()).code).toBe(code);
    });

    test('everything works with JavaScript switched off', async () => {
      await tab.send('Emulation.setScriptExecutionDisabled', { value: true });
      try {
        await signIn();
        await tab.click('button[value=allow]');
        expect(await landed()).toHaveProperty('code');
      } finally {
        await tab.send('Emulation.setScriptExecutionDisabled', { value: false });
      }
    });

    test('what is wrong is tied to its field, and the field has the focus', async () => {
      await tab.open(consentUrl());
      await tab.heading('Sign in to continue');
      await typeInto('email', stack.user.email);
      await tab.press('Enter');
      await tab.heading('Check your mail');
      const right = await stack.mailedCode();
      await typeInto('code', right === '000000' ? '000001' : '000000');
      await tab.press('Enter');
      await tab.until('document.querySelector("#code-error")');
      await picture('4-wrong-code');
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

    test('another page that frames it gets nothing to show', async () => {
      await tab.open(`${stack.framing}?of=${encodeURIComponent(consentUrl())}`);
      await tab.heading('Frame');
      const { frameTree } = await tab.send('Page.getFrameTree');
      expect(frameTree.childFrames).toHaveLength(1);
      expect(frameTree.childFrames[0].frame.url).toMatch(/^chrome-error:/);
    });

    test('a bad request shows a page and leads nowhere', async () => {
      await tab.open(consentUrl({ redirect_uri: 'https://evil.example/' }));
      await tab.heading('This request cannot be used');
      await picture('5-refused');
      expect(await tab.evaluate('document.querySelectorAll("form, a").length')).toBe(0);
    });

    test.each(['light', 'dark'] as const)(
      'every text is readable in %s: contrast of 4.5 to 1 or more',
      async (scheme) => {
        await tab.look(800, scheme);
        await signIn({ scope: 'profile vault' });
        expect(await tab.evaluate(lowContrast)).toEqual([]);
      },
    );

    test('nothing is wider than a screen of 340 pixels', async () => {
      await tab.look(340, 'light');
      await signIn({ scope: 'profile trust_links:write vault' });
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(340);
    });

    async function picture(name: string) {
      if (pictures === undefined) return;
      const before = tab.looks;
      mkdirSync(pictures, { recursive: true });
      for (const [width, scheme] of [
        [900, 'light'],
        [900, 'dark'],
        [340, 'light'],
        [340, 'dark'],
      ] as const) {
        await tab.look(width, scheme);
        writeFileSync(join(pictures, `${name}-${width}-${scheme}.png`), await tab.screenshot());
      }
      await tab.look(...before);
    }
  },
);
