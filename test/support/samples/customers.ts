import { type BegunState, type Call, good, newSeller, type Tenant } from '../call.ts';
import { signedIn } from './console.ts';
import { browse, form, formType, type PageResponse } from './forms.ts';

/** A subscription with its seller, and the path of its page. */
export interface Customer {
  seller: Tenant;
  id: string;
  externalId: string;
  params: { applicationId: string; subscriptionId: string };
}

/** A new subscription of a new application. */
export async function newCustomer(
  state: BegunState = 'active',
  ...of: Parameters<typeof newSeller>
): Promise<Customer> {
  const seller = await newSeller(...of);
  const { id, externalId } = await seller.subscribed(state);
  const params = { applicationId: seller.applicationId, subscriptionId: id };
  return { seller, id, externalId, params };
}

type Headers = { cookie: string };

export const openCustomer = (headers: Headers, { params }: Pick<Customer, 'params'>, query = {}) =>
  browse('console.customer-show', { headers, params, query });

/** The forms of the page, by the fields that tell them apart. */
const forms = {
  cancel: { operation: 'cancel', 'body.atPeriodEnd': 'no' },
  'cancel-at-end': { operation: 'cancel', 'body.atPeriodEnd': 'yes' },
  uncancel: { operation: 'uncancel' },
  'renewal-off': { operation: 'update', 'body.autoRenew': 'no' },
  'renewal-on': { operation: 'update', 'body.autoRenew': 'yes' },
  extend: { operation: 'update' },
  pause: { operation: 'pause' },
  resume: { operation: 'resume' },
  credit: { operation: 'credit-invoice' },
  'mail-link': { operation: 'link-mail', 'body.replace': 'no' },
  'replace-link': { operation: 'link-mail', 'body.replace': 'yes' },
} as const;

export type CustomerForm = keyof typeof forms;

/** The forms that a page has, in its order. */
export function formsOf(page: string): CustomerForm[] {
  const parts = page.split('<form ').filter((part) => part.includes('name="operation"'));
  const has = (part: string, [name, value]: [string, string]) =>
    part.includes(`name="${name}" value="${value}"`);
  return parts.flatMap((part) => {
    const fits = Object.entries(forms).filter(([, fields]) =>
      Object.entries(fields).every((field) => has(part, field)),
    );
    // `extend` is the update without a renewal.
    const [form] = fits.toSorted(([, a], [, b]) => Object.keys(b).length - Object.keys(a).length)[0] ?? [];
    return form === undefined ? [] : [form as CustomerForm];
  });
}

/** The fields of a form, as a page has them. */
function fieldsOf(page: string, form: CustomerForm): Record<string, string> {
  const parts = page.split('<form ').filter((part) => part.includes('name="operation"'));
  const found = parts[formsOf(page).indexOf(form)] ?? '';
  const inputs = found.matchAll(/<input [^>]*name="([^"]+)"[^>]*value="([^"]*)"/g);
  const selects = found.matchAll(/<select [^>]*name="([^"]+)"[^>]*><option value="([^"]*)"/g);
  return Object.fromEntries([...inputs, ...selects].map(([, name, value]) => [name, value]));
}

/** The request of a form of the page of a subscription, filled in. */
export async function actOf(
  headers: Headers,
  customer: Pick<Customer, 'params'>,
  act: CustomerForm,
  filled: Record<string, string> = {},
): Promise<Call> {
  const { text } = await openCustomer(headers, customer);
  const reasons = { reason: 'The customer asked for it', 'body.reason': 'The customer asked for it' };
  // A form that the page does not have is sent with the fields that tell it apart.
  const { form: token = '' } = fieldsOf(text, 'cancel');
  const asked = {
    form: token,
    applicationId: customer.params.applicationId,
    'path.id': customer.params.subscriptionId,
  };
  const fields = Object.assign(asked, forms[act], fieldsOf(text, act), reasons, filled);
  return { body: form(fields), headers: { ...formType, ...headers } };
}

export const send = (request: Call): Promise<PageResponse> =>
  browse(
    String(request.body).includes('operation=link-mail')
      ? 'console-operations.portal'
      : 'console-operations.subscriptions',
    Object.assign({}, request, { headers: { accept: 'text/html', ...request.headers } }),
  );

export const customerSamples: Record<string, () => Promise<Call>> = {
  'console.client-show': async () => {
    const { seller, externalId } = await newCustomer();
    return { headers: await signedIn(), params: { applicationId: seller.applicationId, externalId } };
  },
  'console.customer-list': async () => {
    const { seller } = await newCustomer();
    return { headers: await signedIn(), query: { application: seller.applicationId } };
  },
  'console.customer-document': async () => {
    const { seller, id, params } = await newCustomer();
    const { invoices } = good(await seller.details(id)).subscription;
    return { headers: await signedIn(), params: { ...params, documentId: invoices[0]._id } };
  },
  'console.customer-show': async () => ({
    headers: await signedIn(),
    params: (await newCustomer()).params,
  }),
};
