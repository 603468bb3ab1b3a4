import { type Call, newUser } from '../call.ts';
import { trustedAccount } from '../devices/accounts.ts';
import { codeSentTo } from '../mail/mailbox.ts';
import { PageBrowser, type PageResponse } from './forms.ts';

/** A browser on the account page. */
export class AccountBrowser extends PageBrowser {
  constructor(sourceIp?: string) {
    super({ show: 'account.show', submit: 'account.submit' }, sourceIp);
  }

  /** Submits a form, and follows the redirect. */
  async submit(step: string, filled: Record<string, string> = {}): Promise<PageResponse> {
    const { headers } = await this.send(step, filled);
    return this.open(Object.fromEntries(new URL(headers.location ?? '', 'https://api.test').searchParams));
  }
}

/** A browser that shows the account of the user with an address. */
export async function signedInAccount(email: string, sourceIp?: string): Promise<AccountBrowser> {
  const browser = new AccountBrowser(sourceIp);
  await browser.open();
  await browser.send('send', { email });
  await browser.submit('sign-in', { code: await codeSentTo(email) });
  return browser;
}

export const accountSamples: Record<string, () => Call | Promise<Call>> = {
  'account.show': async () => {
    const { cookie = '' } = await signedInAccount((await newUser()).email);
    return { headers: { cookie } };
  },
  'account.submit': async () => (await signedInAccount((await trustedAccount()).email)).request('remove'),
};
