import { type Answered, type Call, handlerOf, proxyEvent, read, registered } from '../call.ts';
import { asFunction, grantsOf } from '../granted.ts';
import { codeSentTo } from '../mail/mailbox.ts';
import { newUser } from '../tenants.ts';
import { form, formWith } from './oauth.ts';

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

/** A response with the cookies that it sets. */
export type PageResponse = Answered & { cookies: string[] };

/** A browser on the account page: it keeps the cookie and the page that it shows. */
export class AccountBrowser {
  cookie: string | undefined;
  page: PageResponse | undefined;
  /** The address from which it requests. Without one, each request has its own. */
  readonly sourceIp: string | undefined;

  constructor(sourceIp?: string) {
    this.sourceIp = sourceIp;
  }

  open(query: Record<string, string> = {}): Promise<PageResponse> {
    return this.#receive('account.show', { query, headers: this.#headers() });
  }

  /** Submits the form with the step's button. `filled` overrides its fields. */
  send(step: string, filled: Record<string, string> = {}, more: Partial<Call> = {}): Promise<PageResponse> {
    return this.post({ ...formWith(this.page?.text ?? '', step), ...filled, step }, more);
  }

  post(fields: Record<string, string>, more: Partial<Call> = {}): Promise<PageResponse> {
    return this.#receive('account.submit', {
      body: form(fields),
      ...more,
      headers: { ...this.#headers(), ...formType, ...more.headers },
    });
  }

  /** Submits a form, and follows the redirect. */
  async submit(step: string, filled: Record<string, string> = {}): Promise<PageResponse> {
    const { headers } = await this.send(step, filled);
    return this.open(Object.fromEntries(new URL(headers.location ?? '', 'https://api.test').searchParams));
  }

  /** The request of the form with the step's button, for a call. */
  request(step: string, filled: Record<string, string> = {}): Call {
    const fields = { ...formWith(this.page?.text ?? '', step), ...filled, step };
    return { body: form(fields), headers: { ...this.#headers(), ...formType } };
  }

  #headers(): Record<string, string> {
    return this.cookie === undefined ? {} : { cookie: this.cookie };
  }

  async #receive(id: string, request: Call): Promise<PageResponse> {
    const entry = registered(id);
    const handler = await handlerOf(entry);
    const { sourceIp } = this;
    const event = proxyEvent(entry, sourceIp === undefined ? request : { sourceIp, ...request });
    const result = await asFunction(id, grantsOf(entry.route), () => handler(event));
    const cookies = (result.multiValueHeaders?.['set-cookie'] ?? []) as string[];
    const response = { ...read(result), cookies };
    this.cookie = cookies[0]?.split(';', 1)[0] ?? this.cookie;
    this.page = response;
    return response;
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
  'account.submit': async () =>
    (await signedInAccount((await newUser()).email)).request('sign-out-everywhere'),
};
