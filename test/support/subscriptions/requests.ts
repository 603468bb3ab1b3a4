import { randomUUID } from 'node:crypto';
import { NewClient } from '../../../functions/clients/routes.ts';
import { writeClient } from '../../../functions/clients/upsert.ts';
import * as pdf from '../../../functions/invoices/document/pdf.ts';
import { handler as deliverOutbox } from '../../../functions/notices/deliver.ts';
import { createPlan } from '../../../functions/plans/create.ts';
import { NewPlan } from '../../../functions/plans/routes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import { queryItems } from '../../../functions/shared/table/query.ts';
import type { Status, Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import { handler as runStep } from '../../../functions/subscriptions/run-step.ts';
import { timerInput } from '../../../functions/subscriptions/timers/schedule.ts';
import type { TimerInput } from '../../../functions/subscriptions/timers/timer-input.ts';
import { type Answered, bearer, type Call, call, newTenant, type Tenant } from '../call.ts';
import { newPlan as goodPlan } from '../samples/operator.ts';
import { streamEvent } from '../table/stream.ts';
import { stateOf } from './stored-state.ts';

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

/**
 * Leaves out the rendering of PDFs in each test of the file: it takes longer than all else of a mail. For files that
 * look at no PDF; the names of attachments stay. test/system/functions/invoices/document/pdf.test.ts reads the PDFs of
 * invoices, and test/handlers/functions/invoices/credit-notes.test.ts that of a credit note.
 */
export function leaveOutPdfs(): void {
  const rendering = ['invoicePdf', 'creditNotePdf'] as const;
  let left: { mockRestore(): void }[] = [];
  beforeEach(() => {
    left = rendering.map((name) => vi.spyOn(pdf, name).mockResolvedValue(new Uint8Array(1)));
  });
  afterEach(() => {
    for (const spy of left) spy.mockRestore();
  });
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

/** Noon of an arbitrary day; its month has 31 days, the next one 30. */
export const noonMs = Date.parse('2027-03-10T12:00:00.000Z');

/** Stops the clock of each test of the file at `startMs` until the test moves it. */
export function onTestClock(startMs = noonMs): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const daysLater = (days: number): void => {
  vi.setSystemTime(Date.now() + days * dayMs);
};

/** The input with which the current execution of the subscription's timer invokes the task. */
export function inputFor(subscription: Subscription, more: Partial<TimerInput> = {}): TimerInput {
  const input = timerInput(subscription);
  if (input === undefined) throw new Error('The subscription has no timer');
  return { ...input, ...more };
}

/**
 * Takes the step as the current execution of the subscription's timer does when its wait is over, and delivers the outbox
 * as the stream does then.
 */
export async function step(subscription: Subscription, more: Partial<TimerInput> = {}): Promise<void> {
  await runStep(inputFor(subscription, more));
  await deliverOutboxOf(subscription);
}

/**
 * Hands what waits in the outbox over, as the stream of the table does.
 *
 * @throws Error when the stream has to hand an entry over again.
 */
export async function deliverOutboxOf({
  subscriptionId,
}: Pick<Subscription, 'subscriptionId'>): Promise<void> {
  const { pk, sk } = keys.outbox(subscriptionId, '');
  const entries = await queryItems(pk, sk, Number.POSITIVE_INFINITY);
  const waiting = entries.filter(({ doneAtMs, droppedAtMs }) => (doneAtMs ?? droppedAtMs) === undefined);
  if (waiting.length === 0) return;
  const { batchItemFailures } = await deliverOutbox(streamEvent(waiting));
  if (batchItemFailures.length > 0) throw new Error('The stream hands an entry over again');
}

export interface Brought {
  id: string;
  externalId: string;
}

/** A subscription of a new client in a status, reached through the endpoints and its own steps; the clock moves on. */
export async function brought(seller: Tenant, status: Status): Promise<Brought> {
  const externalId = await newClient(seller);
  const isTrial = status === 'trialing';
  const response = await subscribe(seller, { body: { externalId }, trialPeriodDays: isTrial ? 14 : 0 });
  const { _id: id } = good(response).subscription;
  const command = async (name: Parameters<typeof act>[1]) => good(await act(seller, name, id));
  const stepAfter = async (days: number) => {
    daysLater(days);
    await step(await stateOf(seller, externalId));
  };
  if (status === 'active' || status === 'paused' || status === 'past_due') await command('activate');
  if (status === 'paused') await command('pause');
  if (status === 'cancelled') await command('cancel');
  if (status === 'past_due') await stepAfter(31.1);
  if (status === 'expired') await stepAfter(21);
  const subscription = await stateOf(seller, externalId);
  if (subscription.status !== status)
    throw new Error(`The subscription is ${subscription.status}, not ${status}`);
  return { id, externalId };
}

/** As {@link brought}, of a new application. */
export async function newSubscription(status: Status, ...of: Parameters<typeof newSeller>) {
  const seller = await newSeller(...of);
  return Object.assign(await brought(seller, status), { seller });
}
