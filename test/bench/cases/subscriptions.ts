import { randomUUID } from 'node:crypto';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import {
  type BegunState,
  bearer,
  type Call,
  call,
  good,
  goodClient,
  newSecret,
  newSeller,
  returnUrls,
  type Tenant,
  tokenOf,
} from '../../support/call.ts';
import { formType } from '../../support/samples/forms.ts';
import { creditNoteCall, subscriptionSamples } from '../../support/samples/subscriptions.ts';
import {
  billingTokenOf,
  cancelOnPage,
  fieldOf,
  newBilling,
  openBilling,
} from '../../support/subscriptions/billing.ts';
import { type Case, row, sampled } from './case.ts';

const idempotencyKey = () => ({ 'idempotency-key': randomUUID() });

/** A request with an API key that no function has cached. */
const withNewKey = (ready: (seller: Tenant) => Call | Promise<Call>) => async (): Promise<Call> => {
  const seller = await newSeller();
  const request = await ready(seller);
  const { secret } = await newSecret('api_key', { applicationId: seller.applicationId });
  return { ...request, headers: bearer(secret) };
};

async function withPlans(seller: Tenant, count: number): Promise<Call> {
  for (let i = 0; i < count; i += 1) await seller.newPlan({ name: `Plan ${i + 1}` });
  return { headers: seller.headers };
}
const plans = (count: number) => async () => withPlans(await newSeller(), count);

async function knownClient(): Promise<Call> {
  const seller = await newSeller();
  const externalId = await seller.newClient();
  return { headers: seller.headers, body: goodClient({ externalId, name: 'Ann, again' }) };
}

/** A request to subscribe a client. @param before earlier requests of the client. */
async function creation(
  { gateway = 'none', trialPeriodDays = 0 }: { gateway?: 'none' | 'sandbox'; trialPeriodDays?: number } = {},
  before: (seller: Tenant, externalId: string) => Promise<unknown> = async () => undefined,
  headers: Record<string, string> = {},
): Promise<Call> {
  const seller = await newSeller(gateway);
  const externalId = await seller.newClient();
  await before(seller, externalId);
  const planId = await seller.newPlan({ trialPeriodDays });
  return { headers: { ...seller.headers, ...headers }, body: { externalId, planId, ...returnUrls } };
}

/** Creates a subscription that waits for its payment. */
const waiting = async (seller: Tenant, externalId: string) =>
  good(await seller.subscribe({ body: { externalId } }));

async function createdAgain(): Promise<Call> {
  const request = await creation({}, undefined, idempotencyKey());
  good(await call('subscriptions.create', request));
  return request;
}

/** A request about a new subscription in a state. */
const about =
  (
    state: BegunState,
    request: (seller: Tenant, one: { id: string; externalId: string }) => Call | Promise<Call>,
  ) =>
  async (): Promise<Call> => {
    const seller = await newSeller();
    return request(seller, await seller.subscribed(state));
  };

const command = (state: BegunState, body?: object, before?: 'pause') =>
  about(state, async (seller, { id }) => {
    if (before !== undefined) good(await seller.act(before, id));
    return seller.callFor(id, body);
  });

/** A change of the end of a subscription by a week. */
const moreTime = (state: BegunState, field: 'trialEnd' | 'endDate') =>
  about(state, async (seller, { id }) => {
    const { [field]: end } = good(await seller.details(id)).subscription;
    const later = new Date(Date.parse(end) + 7 * dayMs).toISOString();
    return seller.callFor(id, { [field]: later, reason: 'An apology' });
  });

async function currentOf(seller: Tenant): Promise<Call> {
  const { externalId } = await seller.subscribed('active');
  return { headers: seller.headers, query: { externalId } };
}
const current = async () => currentOf(await newSeller());

/** Every subscription of a client who subscribed and cancelled this many times. */
const history = (count: number) => async (): Promise<Call> => {
  const seller = await newSeller();
  const externalId = await seller.newClient();
  const planId = await seller.newPlan();
  for (let i = 0; i < count; i += 1) good(await seller.subscribe({ body: { externalId, planId } }));
  return { headers: seller.headers, query: { externalId } };
};

const byReference = about('pending', async (seller, { id }) => {
  const { referenceNumber } = good(await seller.details(id)).subscription;
  return { headers: seller.headers, query: { referenceNumber } };
});

const invoice = (accept: string) =>
  about('pending', async (seller, { id }) => {
    const { invoices } = good(await seller.details(id)).subscription;
    const request = seller.callFor(invoices[0]._id);
    return { ...request, headers: { ...request.headers, accept } };
  });

/** The page of the sandbox for a new subscription. */
async function checkout(more: Call = {}): Promise<Call> {
  return {
    ...more,
    params: { token: tokenOf(good(await (await newSeller('sandbox')).subscribe()).checkoutUrl) },
  };
}
const choice = (action: string) => () => checkout({ headers: formType, body: `action=${action}` });

/** The billing page of an active subscription. */
async function billing(more: Call = {}): Promise<Call> {
  return { ...more, params: { token: (await newBilling(await newSeller())).token } };
}
const billingForm = (fields: string) => () => billing({ headers: formType, body: fields });

async function replacedBilling(more: Call = {}): Promise<Call> {
  const { seller, id, token } = await newBilling(await newSeller());
  await billingTokenOf(seller, id, { replace: true });
  return { ...more, params: { token } };
}

async function cancelling(): Promise<Call> {
  const { token } = await newBilling(await newSeller());
  const periodEnd = fieldOf(await openBilling(token, { step: 'cancel' }), 'periodEnd');
  return { params: { token }, headers: formType, body: `action=cancel&periodEnd=${periodEnd}` };
}

async function undoing(): Promise<Call> {
  const { token } = await newBilling(await newSeller());
  await cancelOnPage(token);
  return { params: { token }, headers: formType, body: 'action=undo' };
}

async function webhookAgain(): Promise<Call> {
  const request = (await subscriptionSamples['payments.stripe-webhook']?.()) ?? {};
  good(await call('payments.stripe-webhook', request));
  return request;
}

/** A change of an active subscription of 9.99 a month to a plan of another price. */
const changing = (price: number, more: object = {}) =>
  about('active', async (seller, { id }) =>
    seller.callFor(id, { planId: await seller.newPlan({ price }), ...more }),
  );

/** A trial keeps its plan until the first payment. */
async function onTrial(): Promise<Call> {
  const seller = await newSeller();
  const { subscription } = good(await seller.subscribe({ trialPeriodDays: 14 }));
  return seller.callFor(subscription._id, { planId: await seller.newPlan({ price: 19.99 }) });
}

export const subscriptionCases: readonly Case[] = [
  row('plans.list', '3 plans', plans(3)),
  {
    ...row(
      'plans.list',
      '3 plans, new secret',
      withNewKey((seller) => withPlans(seller, 3)),
    ),
    secret: 'new',
  },
  row('plans.list', '100 plans', plans(100)),
  {
    ...row(
      'clients.upsert',
      'a new one',
      async () => ({
        headers: (await newSeller()).headers,
        body: goodClient({ metadata: { team: 'blue' } }),
      }),
      201,
    ),
    again: 200,
  },
  row('clients.upsert', 'a known one', knownClient),
  row(
    'clients.upsert',
    'a new one, with a key',
    async () => ({ headers: { ...(await newSeller()).headers, ...idempotencyKey() }, body: goodClient() }),
    201,
  ),
  row('subscriptions.create', 'offline', () => creation(), 201),
  row('subscriptions.create', 'trial', () => creation({ trialPeriodDays: 14 }), 201),
  row('subscriptions.create', 'gateway', () => creation({ gateway: 'sandbox' }), 201),
  row('subscriptions.create', 'offline, superseding', () => creation({}, waiting), 201),
  row('subscriptions.create', 'gateway, superseding', () => creation({ gateway: 'sandbox' }, waiting), 201),
  row('subscriptions.create', 'offline, with a key', () => creation({}, undefined, idempotencyKey()), 201),
  row('subscriptions.create', 'offline, sent again', createdAgain, 201),
  row('subscriptions.current', 'one', current),
  { ...row('subscriptions.current', 'one, new secret', withNewKey(currentOf)), secret: 'new' },
  row('subscriptions.list', '1', history(1)),
  row('subscriptions.list', '20', history(20)),
  row('subscriptions.list', 'by reference', byReference),
  row(
    'subscriptions.read',
    'one',
    about('active', (seller, { id }) => seller.callFor(id)),
  ),
  row('payments.activate', 'offline', command('pending')),
  row('payments.activate', 'a trial', command('trialing')),
  row('payments.activate', 'nothing open', command('active')),
  row('subscriptions.cancel', 'now', command('active')),
  row('subscriptions.cancel', 'pending', command('pending')),
  row('subscriptions.cancel', 'at the end', command('active', { atPeriodEnd: true })),
  row('subscriptions.pause', 'any', command('active')),
  row('subscriptions.resume', 'any', command('active', undefined, 'pause')),
  row('subscriptions.update', 'renewal', command('active', { autoRenew: false, reason: 'As agreed' })),
  row('subscriptions.update', 'days', moreTime('active', 'endDate')),
  row('subscriptions.update', 'trial', moreTime('trialing', 'trialEnd')),
  row('invoices.read', 'JSON', invoice('application/json')),
  row('invoices.read', 'PDF', invoice('application/pdf')),
  row('invoices.credit-note-read', 'JSON', () => creditNoteCall('application/json')),
  row('invoices.credit-note-read', 'PDF', () => creditNoteCall('application/pdf')),
  row('payments.checkout-show', 'open', () => checkout()),
  row('payments.checkout-submit', 'pay', choice('pay'), 303),
  row('payments.checkout-submit', 'cancel', choice('cancel'), 303),
  row('portal.link', 'the present one', command('active')),
  row('portal.link', 'replace', command('active', { replace: true })),
  row('portal.show', 'active', () => billing()),
  row('portal.show', 'an old link', () => replacedBilling()),
  row('portal.submit', 'rename', billingForm('action=rename&name=Ann+Example'), 303),
  row('portal.submit', 'cancel', cancelling, 303),
  row('portal.submit', 'undo', undoing, 303),
  row('portal.submit', 'replace the link', billingForm('action=replace-link'), 303),
  row(
    'portal.submit',
    'mail the link',
    () => replacedBilling({ headers: formType, body: 'action=mail' }),
    303,
  ),
  sampled('portal.invoice', 'PDF'),
  sampled('payments.stripe-webhook', 'a payment'),
  row('payments.stripe-webhook', 'a payment, reported again', webhookAgain),
  row('subscriptions.change', 'an upgrade', changing(19.99)),
  row('subscriptions.change', 'a downgrade at once', changing(4.99, { when: 'now' })),
  row('subscriptions.change', 'at the end', changing(4.99)),
  row('subscriptions.change', 'a trial', onTrial),
  row('subscriptions.change-preview', 'an upgrade', changing(19.99)),
];
