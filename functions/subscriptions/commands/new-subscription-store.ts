import type { Client } from '../../clients/client.ts';
import { readClient } from '../../clients/store.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import type { Plan } from '../../plans/plan.ts';
import { readPlan } from '../../plans/store.ts';
import { type Application, readApplication } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { type IdempotentRequest, writeIdempotently } from '../../shared/table/idempotency.ts';
import { batchGetItems, notExists, type Write } from '../../shared/table/table.ts';
import type { Change } from '../machine/decide.ts';
import { referenceCode } from '../record/reference-number.ts';
import type { Subscription } from '../record/subscription.ts';
import { addCancellationNotes } from './cancellation-notes.ts';
import { changesWrites, inStateAtRevision } from './change-writes-store.ts';
import {
  type ClientSubscriptions,
  clientSubscriptionsWrite,
  withCredits,
} from './client-subscriptions-store.ts';
import { writeNumbered } from './number-series-store.ts';
import { releasedPayments, releasedPaymentWrites } from './released-payments-store.ts';
import { invoicesToUpdate } from './updated-invoices-store.ts';

/** New subscriptions: what they are made of, and their first write. */
export const newSubscriptionStore = {
  /** The client, the plan and the application of a new subscription, in one round trip. */
  async getCreationInputs(
    applicationId: string,
    externalId: string,
    planId: string,
  ): Promise<{ client: Client | undefined; plan: Plan | undefined; application: Application | undefined }> {
    const itemKeys = [
      keys.client(applicationId, externalId),
      keys.plan(applicationId, planId),
      keys.application(applicationId),
    ];
    const items = await batchGetItems(itemKeys);
    const [client, plan, application] = itemKeys.map(({ pk, sk }) =>
      items.find((item) => item.pk === pk && item.sk === sk),
    );
    return {
      client: client && readClient(client),
      plan: plan && readPlan(plan),
      application: application && readApplication(application),
    };
  },

  /**
   * Writes a new subscription once per idempotency key, and the ends of those that it supersedes or replaces.
   *
   * @param concurrent the client's running subscription, if it goes on. The write is conditioned on its revision.
   * @param invoices as in `write`.
   * @returns the response to this request, or to the first one with the key; undefined after a concurrent
   * write, or when another subscription has the reference number.
   */
  async create<R extends object>(
    created: Change,
    {
      ended,
      concurrent,
      client,
      invoices,
    }: {
      ended: readonly Change[];
      concurrent: Subscription | undefined;
      client: Client;
      invoices: readonly Invoice[];
    },
    { request, response, nowMs }: { request: IdempotentRequest | undefined; response: R; nowMs: number },
  ): Promise<R | undefined> {
    const { next } = created;
    const { applicationId, externalId, subscriptionId, referenceNumber } = next;
    const owner = { applicationId, externalId, subscriptionId };
    const changes = [created, ...ended];
    const [read, payments] = await Promise.all([
      invoicesToUpdate(changes, invoices),
      releasedPayments(changes),
    ]);
    if (payments === undefined) return undefined;
    for (const change of changes) addCancellationNotes(change, read);
    const released = releasedPaymentWrites(changes, payments);
    const writes: Write[] = [
      { Put: { Item: { ...keys.subscriptionOwner(subscriptionId), ...owner } } },
      {
        Put: {
          Item: { ...keys.reference(referenceCode(referenceNumber)), ...owner },
          ConditionExpression: notExists,
        },
      },
      ...(concurrent === undefined ? [] : [revisionUnchanged(concurrent)]),
      clientSubscriptionsWrite({
        client,
        set: subscriptionsWith(created, client),
        ...withCredits(client, changes),
      }),
    ];
    return writeNumbered(changes, (numberWrites) =>
      writeIdempotently(
        request,
        [...changesWrites(changes, read, released.events), ...released.writes, ...writes, ...numberWrites],
        response,
        nowMs,
      ),
    );
  },
};

/** A trial and a free plan run at once. Any other new subscription is pending, next to the running one. */
function subscriptionsWith({ next }: Change, { runningId, trialUsedAtMs }: Client): ClientSubscriptions {
  if (next.status === 'trialing') return { runningId: next.subscriptionId, trialUsedAtMs: next.createdAtMs };
  if (next.status === 'active') return { runningId: next.subscriptionId, ...defined({ trialUsedAtMs }) };
  return { pendingId: next.subscriptionId, ...defined({ runningId, trialUsedAtMs }) };
}

function revisionUnchanged(subscription: Subscription): Write {
  const { applicationId, externalId, subscriptionId, status } = subscription;
  return {
    ConditionCheck: {
      Key: keys.subscription(applicationId, externalId, subscriptionId),
      ...inStateAtRevision([status], subscription),
    },
  };
}
