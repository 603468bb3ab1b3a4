import { clientStore } from '../clients/store.ts';
import { creditNoteStore } from '../invoices/credit-note-store.ts';
import { toCreditNoteResponse, toInvoiceResponse } from '../invoices/present.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { encodeCursor, isCount, readCursor } from '../shared/lambda/cursor.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { fittingRecords, PageSize } from '../shared/lambda/response-size.ts';
import { clock } from '../shared/runtime/clock.ts';
import { accessWithCredit } from './commands/access-with-credit.ts';
import { subscriptionQueries } from './commands/subscription-queries.ts';
import { readRoute } from './contracts/subscriptions.ts';
import { toSubscriptionResponse, toTimelineEntryResponse } from './present/subscription.ts';

/** The maxima of one page. Together they leave room for the subscription itself. */
const maxTimelineEntries = 2_000;
const maxTimelineBytes = 2_000_000;
const maxInvoices = 500;
const maxInvoiceBytes = 3_000_000;

/**
 * Reads a subscription with a page of its invoices and of its timeline, the latest of each. The subscription is read
 * last, so that it is at least as recent as they are.
 */
export const readSubscription: Handler<typeof readRoute> = async ({ params: { id }, query, caller }) => {
  const { limit = maxTimelineEntries, cursor } = query;
  const position = readCursor(cursorScope(id), cursor, { invoice: isCount, entry: isCount });
  const before = {
    invoice: position && Number(position.invoice),
    entry: position && Number(position.entry),
  };
  const invoiceLimit = Math.min(limit, maxInvoices);
  // One record beyond the limit shows whether there are more.
  const details = await subscriptionQueries.getDetails(
    id,
    { before: before.invoice, limit: invoiceLimit + 1 },
    { before: before.entry, limit: limit + 1 },
  );
  const subscription = await subscriptionQueries.getOwned(caller.applicationId, details?.owner);
  if (details === undefined || subscription === undefined) throw new ApiError('not_found');
  // Most subscriptions have none, and are read without a further round trip.
  const creditNotes =
    cursor === undefined && subscription.creditNoteCount ? await creditNoteStore.latest(id) : undefined;
  const nowMs = clock.nowMs();
  const access = await accessWithCredit(subscription, nowMs, { clients: clientStore });
  const invoices = details.invoices.slice(0, invoiceLimit).map(toInvoiceResponse);
  const timeline = details.timeline.slice(0, limit).map(toTimelineEntryResponse);
  const shownInvoices = fittingRecords(invoices, new PageSize(maxInvoiceBytes));
  const shownTimeline = fittingRecords(timeline, new PageSize(maxTimelineBytes));
  const hasMore =
    shownInvoices.length < details.invoices.length || shownTimeline.length < details.timeline.length;
  // A list without records on this page goes on where it was: at its end.
  const invoice = details.invoices[shownInvoices.length - 1]?.n ?? before.invoice ?? 0;
  const entry = details.timeline[shownTimeline.length - 1]?.revision ?? before.entry ?? 0;
  const positions = { invoice: String(invoice), entry: String(entry) };
  return {
    subscription: {
      ...toSubscriptionResponse(subscription, nowMs, access),
      revision: subscription.revision,
      invoices: shownInvoices.toReversed(),
      timeline: shownTimeline.toReversed(),
      ...defined({ creditNotes: creditNotes?.map(toCreditNoteResponse) }),
    },
    ...defined({ nextCursor: hasMore ? encodeCursor(cursorScope(id), positions) : undefined }),
  };
};

const cursorScope = (subscriptionId: string) => ['subscription', subscriptionId];

export const handler = endpoint(readRoute, readSubscription, sellerCaller);
