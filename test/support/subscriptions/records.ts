import { randomUUID } from 'node:crypto';
import type { CreditNote } from '../../../functions/invoices/credit-note.ts';
import type { Invoice } from '../../../functions/invoices/invoice.ts';
import { invoiceListing } from '../../../functions/invoices/listing/invoice-listing.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import type { Item } from '../../../functions/shared/table/table.ts';
import { referenceCode } from '../../../functions/subscriptions/record/reference-number.ts';
import {
  runningStatuses,
  type Status,
  type Subscription,
  type SubscriptionFields,
} from '../../../functions/subscriptions/record/subscription.ts';
import { subscriptionListing } from '../../../functions/subscriptions/record/subscription-listing.ts';
import type { TimelineEntry } from '../../../functions/subscriptions/record/timeline-entry.ts';
import { newSeller, putItem, type Tenant } from '../call.ts';
import { subscriptionRecord } from './sold.ts';

export { creditNoteRecord, invoiceRecord, soldPlan, subscriptionRecord } from './sold.ts';

const concurrentWrites = 50;

/** Stores a subscription with its invoices and timeline, as the engine does. */
export async function putSubscription(
  subscription: Subscription,
  {
    invoices = [],
    timeline = [],
    creditNotes = [],
  }: {
    invoices?: readonly Invoice[];
    timeline?: readonly TimelineEntry[];
    creditNotes?: readonly CreditNote[];
  } = {},
): Promise<void> {
  const { applicationId, externalId, subscriptionId, referenceNumber, status } = subscription;
  const owner = { applicationId, externalId, subscriptionId };
  const pendingRank = status === 'pending' ? 1 : 0;
  const statusPosition = `${runningStatuses.includes(status) ? 2 : pendingRank}#${subscriptionId}`;
  const due = { due: keys.timerPartition(0), dueAt: new Date(subscription.createdAtMs).toISOString() };
  const items: Item[] = [
    {
      ...keys.subscription(applicationId, externalId, subscriptionId),
      ...subscription,
      statusPosition,
      ...subscriptionListing(subscription),
      ...due,
    },
    { ...keys.subscriptionOwner(subscriptionId), ...owner },
    { ...keys.reference(referenceCode(referenceNumber)), ...owner },
    ...invoices.flatMap((invoice) => [
      { ...keys.invoice(subscriptionId, invoice.n), ...invoice, ...invoiceListing(invoice) },
      { ...keys.invoiceOwner(invoice.invoiceId), ...owner, n: invoice.n },
    ]),
    ...creditNotes.flatMap((creditNote) => [
      { ...keys.creditNote(subscriptionId, creditNote.n), ...creditNote },
      { ...keys.creditNoteOwner(creditNote.creditNoteId), ...owner, n: creditNote.n },
    ]),
    ...timeline.map((entry) => ({
      ...keys.timelineEntry(subscriptionId, entry.revision),
      ...entry,
    })),
    {
      ...keys.outbox(subscriptionId, 'invoice'),
      entryId: 'invoice',
      kind: 'mail',
      secretNote: 'not to be shown',
    },
  ];
  // Thousands of connections at once time out on a slow machine.
  for (let i = 0; i < items.length; i += concurrentWrites) {
    await Promise.all(items.slice(i, i + concurrentWrites).map((item) => putItem(item)));
  }
}

/** Stores subscriptions of one client of a new application in these statuses, newest last. */
export async function withSubscriptions(...statuses: Status[]) {
  const seller = await newSeller();
  const externalId = `user-${randomUUID()}`;
  const { applicationId } = seller;
  const subscriptions = statuses.map((status, i) =>
    subscriptionRecord({ applicationId, externalId, status, createdAtMs: 1_700_000_000_000 + i }),
  );
  await Promise.all(subscriptions.map((one) => putSubscription(one)));
  return {
    seller,
    externalId,
    made: subscriptions,
    ids: subscriptions.map(({ subscriptionId }) => subscriptionId),
  };
}

/** Stores a subscription of the application. */
export async function putFor(seller: Tenant, more: Partial<SubscriptionFields> = {}) {
  const subscription = subscriptionRecord({ applicationId: seller.applicationId, ...more });
  await putSubscription(subscription);
  return subscription;
}
