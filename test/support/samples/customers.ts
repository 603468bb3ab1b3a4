import type { Call } from '../call.ts';
import { details, good, newSeller, subscribed } from '../subscriptions/requests.ts';
import type { Tenant } from '../tenants.ts';
import { signedIn } from './console.ts';
import { form, formType } from './forms.ts';
import { browse, type PageResponse } from './page-browser.ts';

/** A subscription with its seller, and the path of its page. */
export interface Customer {
  seller: Tenant;
  id: string;
  externalId: string;
  params: { applicationId: string; subscriptionId: string };
}

/** A new subscription of a new application. */
export async function newCustomer(
  state: Parameters<typeof subscribed>[1] = 'active',
  ...of: Parameters<typeof newSeller>
): Promise<Customer> {
  const seller = await newSeller(...of);
  const { id, externalId } = await subscribed(seller, state);
  const params = { applicationId: seller.applicationId, subscriptionId: id };
  return { seller, id, externalId, params };
}

type Headers = { cookie: string };

export const openCustomer = (headers: Headers, { params }: Pick<Customer, 'params'>, query = {}) =>
  browse('console.customer-show', { headers, params, query });

/** The hidden fields of the form of an action, as a page has them. */
function fieldsOf(page: string, action: string): Record<string, string> {
  const found = page.split('<form ').find((part) => part.includes(`name="action" value="${action}"`)) ?? '';
  const hidden = found.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  const [, option] = /<option value="([^"]+)"/.exec(found) ?? [];
  const invoice = option === undefined ? [] : [['invoice', option] as const];
  return Object.fromEntries([...[...hidden].map(([, name, value]) => [name, value]), ...invoice]);
}

/** The request of a form of the page of a subscription, filled in. */
export async function actOf(
  headers: Headers,
  customer: Pick<Customer, 'params'>,
  action: string,
  filled: Record<string, string> = {},
): Promise<Call> {
  const { text } = await openCustomer(headers, customer);
  const fields = { ...fieldsOf(text, action), reason: 'The customer asked for it', ...filled };
  return { params: customer.params, body: form(fields), headers: { ...formType, ...headers } };
}

export const send = (request: Call): Promise<PageResponse> => browse('console.customer-action', request);

export const customerSamples: Record<string, () => Promise<Call>> = {
  'console.client-show': async () => {
    const { seller, externalId } = await newCustomer();
    return { headers: await signedIn(), params: { applicationId: seller.applicationId, externalId } };
  },
  'console.customer-action': async () => actOf(await signedIn(), await newCustomer(), 'cancel'),
  'console.customer-list': async () => {
    const { seller } = await newCustomer();
    return { headers: await signedIn(), query: { application: seller.applicationId } };
  },
  'console.customer-document': async () => {
    const { seller, id, params } = await newCustomer();
    const { invoices } = good(await details(seller, id)).subscription;
    return { headers: await signedIn(), params: { ...params, documentId: invoices[0]._id } };
  },
  'console.customer-show': async () => ({
    headers: await signedIn(),
    params: (await newCustomer()).params,
  }),
};
