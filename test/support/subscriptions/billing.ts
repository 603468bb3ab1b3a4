import { defined } from '../../../functions/shared/contract/defined.ts';
import { type Answered, call, good, type Tenant, tokenOf } from '../call.ts';

/** The headers of a browser that follows a link. */
export const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** The token of the link to the billing page. @param body `replace` makes the links until now old. */
export async function billingTokenOf(
  seller: Tenant,
  id: string,
  body?: { replace: boolean },
): Promise<string> {
  return tokenOf(good(await call('portal.link', seller.callFor(id, body))).billingUrl);
}

/** A new subscription in a state, with its billing page. */
export async function newBilling(
  seller: Tenant,
  state: 'pending' | 'trialing' | 'active' = 'active',
): Promise<{ seller: Tenant; id: string; externalId: string; token: string }> {
  const one = await seller.subscribed(state);
  return { seller, ...one, token: await billingTokenOf(seller, one.id) };
}

/** Opens the billing page, as a browser does. */
export const openBilling = (token: string, query?: Record<string, string>): Promise<Answered> =>
  call('portal.show', { params: { token }, headers: browser, ...defined({ query }) });

/** Submits a form of the page. */
export const submitBilling = (token: string, fields: Record<string, string>): Promise<Answered> =>
  call('portal.submit', {
    params: { token },
    headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

/** The value of a hidden field of a page. */
export function fieldOf({ text }: Answered, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1];
  if (value === undefined) throw new Error(`The page has no field ${name}`);
  return value;
}

/** Confirms the cancellation at the end of the period, through both forms. */
export async function cancelOnPage(token: string): Promise<Answered> {
  const question = await openBilling(token, { step: 'cancel' });
  return submitBilling(token, { action: 'cancel', periodEnd: fieldOf(question, 'periodEnd') });
}
