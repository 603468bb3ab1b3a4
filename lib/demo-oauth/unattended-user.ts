/** Plays the user's part without a browser: only against the local stack, whose mailbox has the code. */
import { defined } from '../../functions/shared/contract/defined.ts';
import { demoSeconds, Failure } from './failure.ts';

/** A browser without pages: it keeps cookies by host, and follows no redirect by itself. */
class CookieJar {
  readonly #cookies = new Map<string, string>();

  async fetch(url: URL, form?: Readonly<Record<string, string>>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(demoSeconds * 1000),
      headers: { cookie: this.#cookies.get(url.host) ?? '', accept: 'text/html' },
      ...defined({ method: form && 'POST', body: form && new URLSearchParams(form) }),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.#cookies.set(url.host, cookie.split(';', 1)[0] ?? '');
    return response;
  }
}

/**
 * Opens the client's start page, signs in, and allows what the consent page asks for.
 *
 * @param start the client's address.
 */
export async function playUser(
  start: URL,
  { email, mailbox }: { email: string; mailbox: string },
): Promise<void> {
  const browser = new CookieJar();
  const consent = redirectOf(await browser.fetch(new URL('/start', start)), start);
  const page = new URL(consent.pathname, consent);
  const submit = async (shown: string, step: string, fields: Readonly<Record<string, string>> = {}) =>
    browser.fetch(page, { ...hiddenFields(shown), step, ...fields });

  const addressForm = await (await browser.fetch(consent)).text();
  const sent = await submit(addressForm, 'send', { email });
  if (sent.status === 429) throw new Failure('Too many codes were mailed to this machine. Wait a minute.');
  const codeForm = await sent.text();
  const code = await newestCode(mailbox, email);
  const signedIn = await submit(codeForm, 'sign-in', { email, code });
  const choice = await (await browser.fetch(redirectOf(signedIn, page))).text();
  await browser.fetch(redirectOf(await submit(choice, 'allow'), page));
}

function redirectOf(response: Response, base: URL): URL {
  const location = response.headers.get('location');
  if (location === null) throw new Failure(`The consent page responded with ${response.status}.`);
  return new URL(location, base);
}

/** The hidden fields of a page's forms. Those of several forms are equal, but for the step. */
function hiddenFields(page: string): Record<string, string> {
  const inputs = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, decoded(value)]));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decoded = (value: string) => value.replaceAll(/&(#?\w+);/g, (_, name) => entities[name] ?? '');

async function newestCode(mailbox: string, email: string): Promise<string> {
  const response = await fetch(`${mailbox}?to=${encodeURIComponent(email)}`);
  const { messages } = (await response.json()) as { messages: readonly { subject: string }[] };
  const code = /\d{6}/.exec(messages[0]?.subject ?? '')?.[0];
  if (code === undefined) throw new Failure(`No code was mailed to ${email}.`);
  return code;
}
