import { randomUUID } from 'node:crypto';
import { NewClient } from '../../../functions/clients/routes.ts';
import { writeClient } from '../../../functions/clients/upsert.ts';
import { createPlan } from '../../../functions/plans/create.ts';
import { NewPlan } from '../../../functions/plans/routes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { queryItems } from '../../../functions/shared/table/query.ts';
import { readSubscription } from '../../../functions/subscriptions/commands/subscription-queries.ts';
import type { Status, Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import { bearer, newSecret, putItem } from './records.ts';
import { type Answered, type Call, call, good } from './requests.ts';
import { daysLater, step } from './time.ts';

export type Gateway = 'none' | 'sandbox' | 'stripe';
export type Command =
  | 'activate'
  | 'cancel'
  | 'pause'
  | 'resume'
  | 'uncancel'
  | 'update'
  | 'change'
  | 'change-preview';

export type BegunState = 'pending' | 'trialing' | 'active';

export interface Brought {
  id: string;
  externalId: string;
}

/** An application's id and secrets. */
export type Credentials = Pick<Tenant, 'applicationId' | 'clientSecret' | 'apiKey' | 'redirectUri'>;

/** An application with a client secret and an API key, and what it does by the key. */
export class Tenant {
  readonly redirectUri = 'https://app.example/callback';
  readonly applicationId: string;
  readonly clientSecret: string;
  readonly apiKey: string;

  constructor({ applicationId, clientSecret, apiKey }: Omit<Credentials, 'redirectUri'>) {
    this.applicationId = applicationId;
    this.clientSecret = clientSecret;
    this.apiKey = apiKey;
  }

  /** Headers of a request by the API key. */
  get headers() {
    return bearer(this.apiKey);
  }

  /**
   * Creates a plan of 9.99 EUR a month without a trial. `more` overrides fields. No request: nearly every test needs a
   * plan, and a request takes three calls of the table for the one that writes the plan.
   *
   * @returns its id.
   */
  async newPlan(more: object = {}): Promise<string> {
    const body = NewPlan.parse({ ...goodPlan, trialPeriodDays: 0, ...more });
    const caller = { keyId: 'key_test', name: 'Olga Operator', from: '203.0.113.9' };
    const input = { params: { id: this.applicationId }, headers: {}, body, caller } as Parameters<
      typeof createPlan
    >[0];
    return (await createPlan(input)).plan._id;
  }

  /** The externalId of a new client. No request, for the reason of {@link newPlan}. */
  async newClient(more: object = {}): Promise<string> {
    const body = NewClient.parse(goodClient(more));
    const caller = { applicationId: this.applicationId };
    const input = { headers: {}, body, caller, rateLimitPassed: Promise.resolve() };
    await writeClient(input as Parameters<typeof writeClient>[0]);
    return body.externalId;
  }

  /** Subscribes a client to a plan. Both are new unless `body` names them; `trialPeriodDays` is that of the new plan. */
  async subscribe({
    body = {},
    headers = {},
    trialPeriodDays = 0,
  }: {
    body?: { externalId?: string; planId?: string } & Record<string, unknown>;
    headers?: Record<string, string>;
    trialPeriodDays?: number;
  } = {}): Promise<Answered> {
    const externalId = body.externalId ?? (await this.newClient());
    const planId = body.planId ?? (await this.newPlan({ trialPeriodDays }));
    const sent = { ...returnUrls, ...body, externalId, planId };
    return call('subscriptions.create', { headers: { ...this.headers, ...headers }, body: sent });
  }

  /** A new subscription in a state, with its client. */
  async subscribed(state: BegunState = 'pending'): Promise<Brought> {
    const externalId = await this.newClient();
    const trialPeriodDays = state === 'trialing' ? 14 : 0;
    const { subscription } = good(await this.subscribe({ body: { externalId }, trialPeriodDays }));
    if (state === 'active') good(await this.act('activate', subscription._id));
    return { id: subscription._id, externalId };
  }

  /** A pending subscription to a new plan with these fields, with its client. */
  async subscribedTo(plan: object = {}): Promise<Brought> {
    const [externalId, planId] = await Promise.all([this.newClient(), this.newPlan(plan)]);
    const { subscription } = good(await this.subscribe({ body: { externalId, planId } }));
    return { id: subscription._id, externalId };
  }

  /** A subscription that is paid by transfer. Returns its id. A free one needs no payment. */
  async subscribedByTransfer(body: Record<string, unknown>): Promise<string> {
    const { subscription } = good(await this.subscribe({ body }));
    if (subscription.status === 'pending') good(await this.act('activate', subscription._id));
    return subscription._id;
  }

  /** A subscription of a new client in a status, reached through the endpoints and its own steps; the clock moves on. */
  async brought(status: Status): Promise<Brought> {
    const externalId = await this.newClient();
    const isTrial = status === 'trialing';
    const response = await this.subscribe({ body: { externalId }, trialPeriodDays: isTrial ? 14 : 0 });
    const { _id: id } = good(response).subscription;
    const stepAfter = async (days: number) => {
      daysLater(days);
      await step(await this.stateOf(externalId));
    };
    if (status === 'active' || status === 'paused' || status === 'past_due')
      good(await this.act('activate', id));
    if (status === 'paused') good(await this.act('pause', id));
    if (status === 'cancelled') good(await this.act('cancel', id));
    if (status === 'past_due') await stepAfter(31.1);
    if (status === 'expired') await stepAfter(21);
    const subscription = await this.stateOf(externalId);
    if (subscription.status !== status)
      throw new Error(`The subscription is ${subscription.status}, not ${status}`);
    return { id, externalId };
  }

  /** The record of a subscription as stored: the client's newest without an id. */
  async stateOf(externalId: string, id?: string): Promise<Subscription> {
    const items = await queryItems(keys.clientPartition(this.applicationId, externalId), 'SUB#');
    const item = items.findLast(({ subscriptionId }) => id === undefined || subscriptionId === id);
    if (item === undefined) throw new Error('There is no such subscription');
    return readSubscription(item);
  }

  /** A call for a record of the application by its id. */
  callFor(id: string, body?: object): Call {
    return { headers: this.headers, params: { id }, ...defined({ body }) };
  }

  /** Sends a command to a subscription. */
  act(command: Command, id: string, body?: object): Promise<Answered> {
    const route = command === 'activate' ? 'payments.activate' : `subscriptions.${command}`;
    return call(route, this.callFor(id, body));
  }

  /** The client's current subscription. */
  current(externalId: string): Promise<Answered> {
    return call('subscriptions.current', { headers: this.headers, query: { externalId } });
  }

  /** A subscription with its invoices and its timeline. */
  details(id: string): Promise<Answered> {
    return call('subscriptions.read', this.callFor(id));
  }
}

/** An application, written directly to the table. */
export async function newTenant(settings: Record<string, unknown> = {}): Promise<Tenant> {
  const createdAtMs = Date.now();
  const applicationId = newId('app', createdAtMs);
  // Both keys of one moment, as the endpoint creates them: their order in responses follows from it.
  const [client, api] = await Promise.all([
    newSecret('client_secret', { applicationId }, createdAtMs),
    newSecret('api_key', { applicationId }, createdAtMs),
  ]);
  const tenant = new Tenant({ applicationId, clientSecret: client.secret, apiKey: api.secret });
  await putItem({
    ...keys.application(applicationId),
    applicationId,
    name: 'Example App',
    redirectUris: [tenant.redirectUri],
    settings,
    createdAtMs,
    revision: 1,
    keys: { [client.keyId]: client.key, [api.keyId]: api.key },
  });
  return tenant;
}

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

/** As `brought`, of a new application. */
export async function newSubscription(status: Status, ...of: Parameters<typeof newSeller>) {
  const seller = await newSeller(...of);
  return Object.assign(await seller.brought(status), { seller });
}

export const goodPlan = {
  name: 'Pro',
  description: 'All of it.',
  price: 9.99,
  currency: 'EUR',
  billingCycle: 'monthly',
  priceChanges: 'next_term',
  trialPeriodDays: 14,
  features: ['Everything'],
  isActive: true,
};

/** A client that the API accepts. */
export const goodClient = (more: object = {}) => {
  const externalId = `user-${randomUUID()}`;
  return { externalId, email: `${externalId}@example.com`, name: 'Ann', ...more };
};

/** The last part of a `checkoutUrl`. */
export function tokenOf(checkoutUrl: string): string {
  return decodeURIComponent(new URL(checkoutUrl).pathname.split('/').at(-1) ?? '');
}

/** Settings of a seller who charges tax. */

/** `seller`: a company in Germany, with a VAT id. */
export const germanSeller = {
  legalName: 'Example GmbH',
  address: { line1: 'Hauptstr. 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
  vatId: 'DE136695976',
};

/** `tax`: prices include the German rate. */
export const germanTax = { rates: [{ country: 'DE', percent: 19 }], pricesInclude: 'inclusive' };
