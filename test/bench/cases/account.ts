import { type Call, newUser } from '../../support/call.ts';
import { trustedAccount } from '../../support/devices/accounts.ts';
import { codeSentTo } from '../../support/mail/mailbox.ts';
import { AccountBrowser, signedInAccount } from '../../support/samples/account.ts';
import { newTokens } from '../../support/samples/oauth.ts';
import { type Case, row } from './case.ts';

/** A form of a person who is not signed in. */
async function opened(step: string, filled: Record<string, string>): Promise<Call> {
  const browser = new AccountBrowser();
  await browser.open();
  return browser.request(step, filled);
}

async function withCode(): Promise<Call> {
  const browser = new AccountBrowser();
  const { email } = await newUser();
  await browser.open();
  await browser.send('send', { email });
  return browser.request('sign-in', { code: await codeSentTo(email) });
}

/** A form of a user with two devices. */
async function withDevices(step: string): Promise<Call> {
  const account = await trustedAccount();
  await trustedAccount(account.anotherDevice());
  return (await signedInAccount(account.email)).request(step);
}

/** The account of a user who allowed an application. */
async function withApplication(): Promise<AccountBrowser> {
  const { user } = await newTokens();
  return signedInAccount(user.email);
}

export const accountCases: readonly Case[] = [
  row('account.show', 'a stranger', () => ({})),
  row('account.show', 'signed in', async () => {
    const { cookie = '' } = await withApplication();
    return { headers: { cookie } };
  }),
  row('account.submit', 'send', async () => opened('send', { email: (await newUser()).email })),
  row('account.submit', 'sign in', withCode, 303),
  row('account.submit', 'remove', () => withDevices('remove'), 303),
  row('account.submit', 'keep', () => withDevices('keep'), 303),
  row('account.submit', 'withdraw', async () => (await withApplication()).request('withdraw'), 303),
  row('account.submit', 'sign out', async () => (await withApplication()).request('sign-out'), 303),
  row(
    'account.submit',
    'sign out everywhere',
    async () => (await withApplication()).request('sign-out-everywhere'),
    303,
  ),
];
