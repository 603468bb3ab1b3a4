import { callHandler, codeMailed, type DemoOptions } from './demo-client.ts';

/**
 * Where the local stack signs in from, an address of documentation (RFC 3849). It is the same each time, so that a mailbox knows it
 * after the first sign-in.
 */
const signInAddress = '2001:db8::5';

/** The cookies of a session, or why there is none: the limits of sign-ins apply here too. */
type SignedIn = { cookies: string[] } | { problem: string };

/** Loads a page as a browser does. @returns a function that submits the form of the page. */
async function load(
  options: DemoOptions,
  page: string,
): Promise<(fields: Record<string, string>) => Promise<Response>> {
  const accept = 'text/html';
  const shown = await callHandler(options, new Request(page, { headers: { accept } }), signInAddress);
  const form = /name="form" value="([^"]+)"/.exec(await shown.text())?.[1] ?? '';
  const cookie = shown.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  return (fields) => {
    const body = new URLSearchParams({ form, ...fields });
    const headers = { accept, cookie: cookie.join('; ') };
    return callHandler(options, new Request(page, { method: 'POST', headers, body }), signInAddress);
  };
}

/** Signs in to the account page as its user does: asks for a code, reads it in the mailbox of the stack, and submits it. */
export async function signInAs(options: DemoOptions, email: string, origin: string): Promise<SignedIn> {
  const submit = await load(options, `${origin}/account`);
  const code = await codeMailed(options, email, () => submit({ email, step: 'send' }));
  if (code === undefined)
    return {
      problem: `No new code for ${email} is in the mailbox. After too many, move the clock by a day.`,
    };
  return sessionOf(await submit({ email, step: 'sign-in', code }));
}

/** Signs in to the console with an operator key. @param origin of the page in the browser. */
export async function signInToConsole(options: DemoOptions, key: string, origin: string): Promise<SignedIn> {
  const submit = await load(options, `${origin}/console/sign-in`);
  return sessionOf(await submit({ key }));
}

const sessionOf = ({ status, headers }: Response): SignedIn =>
  status === 303 ? { cookies: headers.getSetCookie() } : { problem: `The sign-in answered ${status}.` };
