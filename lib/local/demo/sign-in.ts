import { callHandler, type DemoOptions } from './demo-client.ts';

/**
 * Where the local stack signs in from, an address of documentation (RFC 3849). It is the same each time, so that a mailbox knows it
 * after the first sign-in.
 */
const signInAddress = '2001:db8::5';

/**
 * Signs in to the account page as its user does: asks for a code, reads it in the mailbox of the stack, and submits it.
 *
 * @param origin of the page in the browser, `http://localhost:3000`.
 * @returns the cookies of the session, or why there is none: the limits of codes apply here too.
 */
export async function signInAs(
  options: DemoOptions,
  email: string,
  origin: string,
): Promise<{ cookies: string[] } | { problem: string }> {
  const page = `${origin}/account`;
  const shown = await callHandler(
    options,
    new Request(page, { headers: { accept: 'text/html' } }),
    signInAddress,
  );
  const form = /name="form" value="([^"]+)"/.exec(await shown.text())?.[1] ?? '';
  const cookie = shown.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  const submit = (fields: Record<string, string>) => {
    const body = new URLSearchParams({ form, email, ...fields });
    const headers = { accept: 'text/html', cookie: cookie.join('; ') };
    return callHandler(options, new Request(page, { method: 'POST', headers, body }), signInAddress);
  };
  const before = options.newestMail(email)?.id;
  const sent = await submit({ step: 'send' });
  if (sent.status === 429) return { problem: 'Too many codes were asked for. Move the clock by a day.' };
  const mail = options.newestMail(email);
  const code = mail?.id === before ? undefined : /\b\d{6}\b/.exec(mail?.subject ?? '')?.[0];
  if (code === undefined) return { problem: `No code for ${email} is in the mailbox.` };
  const signedIn = await submit({ step: 'sign-in', code });
  const cookies = signedIn.headers.getSetCookie();
  return signedIn.status === 303 ? { cookies } : { problem: `The account page answered ${signedIn.status}.` };
}
