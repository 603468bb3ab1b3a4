import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { codeSentTo } from '../../../../support/mail/mailbox.ts';
import { headingOf, newAuthorization, requestSignInCode } from '../../../../support/oauth/sign-in.ts';
import { formWith } from '../../../../support/samples/forms.ts';
import { Browser, newGrant, signedInBrowser } from '../../../../support/samples/oauth.ts';
import { updateItem } from '../../../../support/stored-items.ts';
import { newUser } from '../../../../support/tenants.ts';

afterEach(() => vi.useRealTimers());

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('the session', () => {
  test('without its cookie restarts the flow with a notice', async () => {
    const { browser, query } = await newGrant();
    browser.cookie = undefined;
    await browser.open(query);
    const fields = formWith(browser.page?.text ?? '', 'send');
    browser.cookie = undefined;
    const response = await browser.post({ ...fields, step: 'allow', ticket: 'A'.repeat(22) });
    expect([response.status, response.headers.location]).toEqual([
      303,
      `consent?${new URLSearchParams(query)}&notice=expired`,
    ]);
    expect((await browser.open({ ...query, notice: 'expired' })).text).toContain('has run out');
  });

  test('refuses a form with the token of another session, a forged token or none', async () => {
    const query = await newAuthorization();
    const [own, foreign] = await Promise.all(
      [await newUser(), await newUser()].map(({ email }) => signedInBrowser(query, email)),
    );
    const good = formWith(own?.page?.text ?? '', 'allow');
    const theirs = formWith(foreign?.page?.text ?? '', 'allow').form ?? '';
    for (const form of [theirs, '', 'A'.repeat(43), `${good.form}x`, good.form?.slice(1) ?? '']) {
      for (const step of ['send', 'resend', 'allow', 'deny', 'switch']) {
        const response = await own?.post({ ...good, form, step, email: 'a@example.com' });
        expect([response?.status, response?.headers.location]).toEqual([403, undefined]);
      }
      // A person who is signed in gets the page: a double click submits the code again.
      const again = await own?.post({ ...good, form, step: 'sign-in', email: 'a@example.com' });
      expect([again?.headers.location, again?.cookies]).toEqual([
        `consent?${new URLSearchParams(query)}`,
        [],
      ]);
    }
  });

  test('changes its token at the sign-in, so that a planted token is worthless', async () => {
    const { email } = await newUser();
    const { query, browser } = await requestSignInCode(email);
    const planted = browser.cookie;
    await browser.send('sign-in', { code: await codeSentTo(email) });
    expect(browser.cookie).not.toBe(planted);
    const attacker = new Browser();
    attacker.cookie = planted;
    expect(headingOf((await attacker.open(query)).text)).toBe('Sign in to continue');
  });

  test('ends after 15 minutes', async () => {
    const query = await newAuthorization();
    const browser = await signedInBrowser(query, (await newUser()).email);
    advance(899_000);
    expect(headingOf((await browser.open(query)).text)).toBe('Allow');
    advance(2_000);
    expect(answeredNotice(await browser.send('allow'))).toBe('expired');
    expect(headingOf((await browser.open(query)).text)).toBe('Sign in to continue');
  });

  test('ends when the user is suspended or has another address', async () => {
    for (const [name, value] of [
      ['status', 'suspended'],
      ['email', 'other@example.com'],
    ]) {
      const { userId, email } = await newUser();
      const browser = await signedInBrowser(await newAuthorization(), email);
      await updateItem(keys.user(userId), {
        UpdateExpression: 'SET #name = :value',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#name': name ?? '' },
        ExpressionAttributeValues: { ':value': value },
      });
      expect(answeredNotice(await browser.send('allow'))).toBe('expired');
    }
  });

  test('ends when the user switches to another account', async () => {
    const query = await newAuthorization();
    const browser = await signedInBrowser(query, (await newUser()).email);
    const before = browser.cookie;
    const fields = { ...formWith(browser.page?.text ?? '', 'switch'), step: 'switch' };
    expect((await browser.post(fields)).status).toBe(303);
    expect(browser.cookie).not.toBe(before);
    // The second click of a double click: the page does not say that nothing was done.
    const repeated = await browser.post(fields);
    expect([repeated.status, repeated.headers.location]).toEqual([
      303,
      `consent?${new URLSearchParams(query)}`,
    ]);
    expect(headingOf((await browser.open(query)).text)).toBe('Sign in to continue');
    const stale = new Browser();
    stale.cookie = before;
    expect(headingOf((await stale.open(query)).text)).toBe('Sign in to continue');
  });

  const answeredNotice = ({ headers }: { headers: Record<string, string> }) =>
    new URLSearchParams(headers.location?.split('?')[1]).get('notice');
});
