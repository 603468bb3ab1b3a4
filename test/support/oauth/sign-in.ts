import { newTenant } from '../call.ts';
import { authorization, Browser, newPkce } from '../samples/oauth.ts';

/** A valid authorization request of a new application. */
export const newAuthorization = async (more = {}) =>
  authorization(await newTenant(), newPkce().challenge, more);

/** The heading of a page. */
export const headingOf = (text: string | undefined) => /<h1>([^<]*)/.exec(text ?? '')?.[1]?.trim();

/** A browser that has requested a sign-in code. */
export async function requestSignInCode(email: string) {
  const query = await newAuthorization();
  const browser = new Browser();
  await browser.open(query);
  const response = await browser.send('send', { email });
  return { query, browser, response };
}
