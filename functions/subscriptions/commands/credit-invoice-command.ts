import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { toCreditNoteResponse } from '../../invoices/present.ts';
import { uncorrectedMinor } from '../../invoices/revenue-postings.ts';
import { invoiceStore, type NumberedOwner } from '../../invoices/store.ts';
import type { AuditWrite } from '../../shared/audit/write.ts';
import { ApiError, found } from '../../shared/contract/errors.ts';
import type { Input } from '../../shared/lambda/endpoint.ts';
import { toDecimal, toMinor } from '../../shared/money/money.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { type IdempotentRequest, storedResponse } from '../../shared/table/idempotency.ts';
import type { creditInvoiceRoute } from '../contracts/changes.ts';
import { decide } from '../machine/decide.ts';
import { type RefundedInvoice, transitionContext } from '../machine/event.ts';
import { withCredits } from './client-subscriptions-store.ts';
import { commandDeps, type Decided } from './execute-command.ts';
import { executeOnce } from './execute-once.ts';
import { runDueSteps } from './run-due-steps.ts';
import { readTogether, type SubscriptionWithClient } from './subscription-queries.ts';

type Crediting = Input<typeof creditInvoiceRoute>['body'];

interface Credited {
  creditNote: ReturnType<typeof toCreditNoteResponse>;
}

interface CreditRequest {
  applicationId: string;
  invoiceId: string;
  rateLimitPassed: Promise<void>;
  /** A repeat of it gets the response to the first one. Undefined for one that is done each time. */
  request: IdempotentRequest | undefined;
  audit: readonly AuditWrite[];
}

/**
 * Issues a credit note for an invoice. It moves no money.
 *
 * @throws ApiError `not_found`; `conflict` when the subscription is not as it was seen; `invalid_transition` when nothing can be credited, `invalid_request` when the amount
 * does not fit.
 */
export async function creditInvoiceOf(credit: CreditRequest, crediting: Crediting): Promise<Credited> {
  const { applicationId, invoiceId, rateLimitPassed, request } = credit;
  const [earlier, owner] = await Promise.all([
    storedResponse<Credited>(request, clock.nowMs()),
    invoiceStore.getOwner(invoiceId),
  ]);
  await rateLimitPassed;
  if (owner?.applicationId !== applicationId) throw new ApiError('not_found');
  return earlier ?? executeOnce(request, () => decideCredit(owner, crediting, credit));
}

async function decideCredit(
  owner: NumberedOwner,
  crediting: Crediting,
  { audit }: CreditRequest,
): Promise<Decided<Credited>> {
  const current = await currentOf(owner);
  const { client, subscription, invoices } = current;
  const invoice = found(invoices.find(({ n }) => n === owner.n));
  const { revision = subscription.revision } = crediting;
  if (subscription.revision !== revision) throw new ApiError('conflict');
  const credited = creditedPart(invoice, current, crediting);
  const event = { event: 'invoice_credited', credited, reason: crediting.reason } as const;
  const outcome = decide(subscription, transitionContext(event, { client, by: 'application' }, commandDeps));
  if (outcome.kind !== 'changed') throw notCreditable(invoice);
  const { change } = outcome;
  return {
    kind: 'changed',
    changes: [change],
    invoices,
    clientChange: withCredits(client, [change]),
    writes: () => audit,
    response: () => {
      const note = change.creditNotes.find(({ invoiceId }) => invoiceId === invoice.invoiceId);
      if (note === undefined) throw new Error('The credit note of the change is missing');
      return { creditNote: toCreditNoteResponse(note) };
    },
  };
}

/** The subscription of an invoice with its due steps taken, and the invoice as they leave it. */
async function currentOf(owner: NumberedOwner): Promise<SubscriptionWithClient> {
  const { subscriptionId, n } = owner;
  const invoice = invoiceStore.get(subscriptionId, n).then((found) => (found === undefined ? [] : [found]));
  const read = await readTogether(owner, invoice);
  if (read === undefined || read.invoices.length === 0) throw new ApiError('not_found');
  const current = await runDueSteps(read, commandDeps);
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
  { amount }: Crediting,
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
