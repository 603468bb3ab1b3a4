import { randomUUID } from 'node:crypto';
import { NewClient } from '../../../functions/clients/routes.ts';
import { writeClient } from '../../../functions/clients/upsert.ts';
import { createPlan } from '../../../functions/plans/create.ts';
import { NewPlan } from '../../../functions/plans/routes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { type Answered, type Call, call } from '../call.ts';
import { newPlan as goodPlan } from '../samples/operator.ts';
import { bearer, newTenant, type Tenant } from '../tenants.ts';

export type Gateway = 'none' | 'sandbox' | 'stripe';

export const banking = {
  accountHolder: 'Example Ltd',
  bankName: 'Example Bank',
  iban: 'DE02120300000000202051',
};
export const returnUrls = {
  successUrl: 'https://app.example/thanks',
  cancelUrl: 'https://app.example/plans',
};

/** An application that sells subscriptions: by bank transfer unless a gateway is named. */
export async function newSeller(
  gateway: Gateway = 'none',
  settings: Record<string, unknown> = {},
): Promise<Tenant> {
  const account = defined({ banking: gateway === 'none' ? banking : undefined });
  return newTenant({ paymentGateway: gateway, ...account, ...settings });
}

/** Headers of a request by the API key of the application. */
export const asSeller = ({ apiKey }: Pick<Tenant, 'apiKey'>) => bearer(apiKey);

/**
 * Creates a plan of 9.99 EUR a month without a trial. `more` overrides fields. No request: nearly every test needs a
 * plan, and a request takes three calls of the table for the one that writes the plan.
 *
 * @returns its id.
 */
export async function newPlan({ applicationId }: Tenant, more: object = {}): Promise<string> {
  const body = NewPlan.parse({ ...goodPlan, trialPeriodDays: 0, ...more });
  const caller = { keyId: 'key_test', name: 'Olga Operator', from: '203.0.113.9' };
  const input = { params: { id: applicationId }, headers: {}, body, caller } as Parameters<
    typeof createPlan
  >[0];
  return (await createPlan(input)).plan._id;
}

/** A client that the API accepts. */
export const goodClient = (more: object = {}) => {
  const externalId = `user-${randomUUID()}`;
  return { externalId, email: `${externalId}@example.com`, name: 'Ann', ...more };
};

/** The externalId of a new client. No request, for the reason of {@link newPlan}. */
export async function newClient({ applicationId }: Tenant, more: object = {}): Promise<string> {
  const body = NewClient.parse(goodClient(more));
  const caller = { applicationId };
  const input = { headers: {}, body, caller, rateLimitPassed: Promise.resolve() };
  await writeClient(input as Parameters<typeof writeClient>[0]);
  return body.externalId;
}

/** Subscribes a client to a plan. Both are new unless `body` names them; `trialPeriodDays` is that of the new plan. */
export async function subscribe(
  seller: Tenant,
  {
    body = {},
    headers = {},
    trialPeriodDays = 0,
  }: {
    body?: { externalId?: string; planId?: string } & Record<string, unknown>;
    headers?: Record<string, string>;
    trialPeriodDays?: number;
  } = {},
): Promise<Answered> {
  const externalId = body.externalId ?? (await newClient(seller));
  const planId = body.planId ?? (await newPlan(seller, { trialPeriodDays }));
  const sent = { ...returnUrls, ...body, externalId, planId };
  return call('subscriptions.create', { headers: { ...asSeller(seller), ...headers }, body: sent });
}

/** A new subscription in a state, with its client. */
export async function subscribed(
  seller: Tenant,
  state: 'pending' | 'trialing' | 'active' = 'pending',
): Promise<{ id: string; externalId: string }> {
  const externalId = await newClient(seller);
  const trialPeriodDays = state === 'trialing' ? 14 : 0;
  const { subscription } = good(await subscribe(seller, { body: { externalId }, trialPeriodDays }));
  if (state === 'active') good(await act(seller, 'activate', subscription._id));
  return { id: subscription._id, externalId };
}

/** A pending subscription to a new plan with these fields, with its client. */
export async function subscribedTo(
  seller: Tenant,
  plan: object = {},
): Promise<{ id: string; externalId: string }> {
  const [externalId, planId] = await Promise.all([newClient(seller), newPlan(seller, plan)]);
  const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
  return { id: subscription._id, externalId };
}

/** A subscription that is paid by transfer. Returns its id. A free one needs no payment. */
export async function subscribedByTransfer(seller: Tenant, body: Record<string, unknown>): Promise<string> {
  const { subscription } = good(await subscribe(seller, { body }));
  if (subscription.status === 'pending') good(await act(seller, 'activate', subscription._id));
  return subscription._id;
}

/** A call for a record of the application by its id. */
export const callFor = (seller: Tenant, id: string, body?: object): Call => ({
  headers: asSeller(seller),
  params: { id },
  ...defined({ body }),
});

/** Sends a command to a subscription. */
export function act(
  seller: Tenant,
  what: 'activate' | 'cancel' | 'pause' | 'resume' | 'uncancel' | 'update' | 'change' | 'change-preview',
  id: string,
  body?: object,
): Promise<Answered> {
  return call(what === 'activate' ? 'payments.activate' : `subscriptions.${what}`, callFor(seller, id, body));
}

/** The client's current subscription. */
export function current(seller: Tenant, externalId: string): Promise<Answered> {
  return call('subscriptions.current', { headers: asSeller(seller), query: { externalId } });
}

/** A subscription with its invoices and its timeline. */
export function details(seller: Tenant, id: string): Promise<Answered> {
  return call('subscriptions.read', callFor(seller, id));
}

/** The last part of a `checkoutUrl`. */
export function tokenOf(checkoutUrl: string): string {
  return decodeURIComponent(new URL(checkoutUrl).pathname.split('/').at(-1) ?? '');
}

/** The body of a successful response. @throws Error for any other response. */
export function good({ status, body, text }: Answered) {
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body;
}
