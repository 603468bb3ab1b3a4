import { dueMinor } from '../invoices/due.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { toCreditNoteResponse } from '../invoices/present.ts';
import { uncorrectedMinor } from '../invoices/revenue-postings.ts';
import { invoiceStore, type NumberedOwner } from '../invoices/store.ts';
import { type AuditWrite, actWrites } from '../shared/accounts/audit.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toDecimal, toMinor } from '../shared/money/money.ts';
import { clock } from '../shared/runtime/clock.ts';
import {
  type IdempotentRequest,
  idempotentRequest,
  responseWrite,
  storedResponse,
} from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { withCredits } from './commands/client-subscriptions-store.ts';
import { commandDeps } from './commands/execute-command.ts';
import { runDueSteps, scheduleChangeFollowUp } from './commands/run-due-steps.ts';
import { type SubscriptionWithClient, subscriptionStore } from './commands/subscription-store.ts';
import { route } from './contracts/credit-invoice.ts';
import { decide } from './machine/decide.ts';
import type { RefundedInvoice } from './machine/event.ts';
import { transitionContext } from './machine/transition-context.ts';

type Response = Output<typeof route>;
type Body = Input<typeof route>['body'];

const { method, path } = route;

/** Issues a credit note for an invoice. It moves no money. */
export async function creditInvoice({
  params: { id },
  headers,
  body,
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Response> {
  const { applicationId } = caller;
  const key = headers['idempotency-key'];
  const request = idempotentRequest(applicationId, key, { method, path, body: { id, ...body } });
  const [earlier, owner] = await Promise.all([
    storedResponse<Response>(request, clock.nowMs()),
    invoiceStore.getOwner(id),
  ]);
  await rateLimitPassed;
  if (owner?.applicationId !== applicationId) throw new ApiError('not_found');
  const audit = actWrites(caller, { act: 'invoice.credited', id, reason: body.reason });
  return earlier ?? creditedOnce(owner, body, request, audit);
}

/** Decides, and writes the credit note with its response; again after a concurrent write. */
function creditedOnce(
  owner: NumberedOwner,
  body: Body,
  request: IdempotentRequest | undefined,
  audit: readonly AuditWrite[],
): Promise<Response> {
  let isRepeat = false;
  return retryOnConflict(async () => {
    // A concurrent request with the key may have come first.
    const earlier = isRepeat ? await storedResponse<Response>(request, clock.nowMs()) : undefined;
    if (earlier !== undefined) return earlier;
    isRepeat = true;
    const current = await currentOf(owner);
    const invoice = current.invoices.find(({ n }) => n === owner.n);
    if (invoice === undefined) throw new ApiError('not_found');
    const { client, subscription } = current;
    const credited = creditedPart(invoice, current, body);
    const event = { event: 'invoice_credited', credited, reason: body.reason } as const;
    const outcome = decide(
      subscription,
      transitionContext(event, { client, by: 'application' }, commandDeps),
    );
    if (outcome.kind !== 'changed') throw notCreditable(invoice);
    const { change } = outcome;
    let response: Response | undefined;
    const more = () => {
      // It has its number now.
      const note = change.creditNotes.find(({ invoiceId }) => invoiceId === invoice.invoiceId);
      if (note === undefined) throw new Error('The credit note of the change is missing');
      response = { creditNote: toCreditNoteResponse(note) };
      const writes = request === undefined ? [] : [responseWrite(request, response, clock.nowMs())];
      return { writes: [...writes, ...audit], events: [] };
    };
    const clientChange = withCredits(client, [change]);
    if (!(await subscriptionStore.write([change], current.invoices, clientChange, more))) return undefined;
    await scheduleChangeFollowUp(change, commandDeps);
    return response;
  });
}

/** The subscription of an invoice with its due steps taken, and the invoice as they leave it. */
async function currentOf({
  applicationId,
  externalId,
  subscriptionId,
  n,
}: NumberedOwner): Promise<SubscriptionWithClient> {
  const [{ client, subscriptions }, invoice] = await Promise.all([
    subscriptionStore.getWithClient(applicationId, externalId, [subscriptionId]),
    invoiceStore.get(subscriptionId, n),
  ]);
  const [subscription] = subscriptions;
  if (client === undefined || subscription === undefined || invoice === undefined)
    throw new ApiError('not_found');
  const current = await runDueSteps({ client, subscription, invoices: [invoice] }, commandDeps);
  if (current.invoices.length > 0) return current;
  // The steps met a concurrent write.
  const latest = await invoiceStore.get(subscriptionId, n);
  return { ...current, invoices: latest === undefined ? [] : [latest] };
}

/**
 * The part of an invoice that is credited.
 *
 * @throws ApiError `invalid_transition` when nothing can be credited, `invalid_request` when the amount does not fit.
 */
function creditedPart(
  invoice: Invoice,
  { subscription: { status } }: SubscriptionWithClient,
  { amount }: Body,
): RefundedInvoice {
  const { currency } = invoice;
  const restMinor = uncorrectedMinor(invoice);
  if (invoice.status === 'void' || restMinor <= 0) throw notCreditable(invoice);
  const rest = toDecimal(restMinor, currency);
  const refuse = (problem: string) =>
    new ApiError('invalid_request', { details: { amount: problem, rest, currency } });
  const amountMinor = amount === undefined ? restMinor : toMinor(amount, currency);
  if (amountMinor === undefined) throw refuse(`has more decimals than ${currency}`);
  if (amountMinor > restMinor) throw refuse('is more than is left of the invoice');
  const hasBegun = status !== 'pending' && status !== 'trialing';
  const isOpen = invoice.status === 'open';
  // A credit note does not buy the first term.
  if (isOpen && !hasBegun && amountMinor < restMinor && amountMinor >= dueMinor(invoice))
    throw refuse('must be all that is left, or less than what is due');
  return { invoice, amountMinor };
}

const notCreditable = ({ status, totalMinor, currency, ...invoice }: Invoice) =>
  new ApiError('invalid_transition', {
    details: { status, rest: toDecimal(uncorrectedMinor({ ...invoice, totalMinor }), currency), currency },
  });

export const handler = endpoint(route, creditInvoice, sellerCaller);
