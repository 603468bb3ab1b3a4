/** The events of Stripe that report payments and reversals. https://docs.stripe.com/api/events/types */
import * as z from 'zod/mini';
import type { Claim } from '../../ledger/claims.ts';
import { defined } from '../../shared/contract/defined.ts';
import { secondMs } from '../../shared/runtime/clock.ts';
import type { ClaimEvent } from '../settle/claims.ts';
import type { PaymentEvent } from '../settle/gateway-reports.ts';
import { fromStripeAmount } from './amount.ts';

/**
 * The reading of an event. `nothing`: it is about no money, or about none of this application. `unreadable`: it is of a type that reports
 * money, and lacks what its type documents.
 */
export type StripeReading =
  | { kind: 'paid' | 'processing' | 'failed'; event: PaymentEvent }
  | { kind: 'claim'; event: ClaimEvent }
  | { kind: 'nothing' | 'unreadable' };

export const Id = z.string().check(z.minLength(1), z.maxLength(255));
// Refinements of a number: the formats of zod are 3 KB of the bundle.
const Whole = z.number().check(z.refine(Number.isSafeInteger));
const Amount = Whole.check(z.refine((amount) => amount >= 0));
const Currency = z.string().check(z.refine((code) => code.length === 3));
const Metadata = z.object({ applicationId: z.optional(z.string()), invoiceId: z.optional(z.string()) });
/** An id, or the object where the endpoint expands it. A charge of an older integration has none. */
const Intent = z.nullable(z.union([Id, z.object({ id: Id })]));

type Intent = z.infer<typeof Intent>;

const Session = z.object({
  id: Id,
  metadata: z.nullable(Metadata),
  payment_status: z.string(),
  payment_intent: Intent,
  amount_total: z.nullable(Amount),
  currency: z.nullable(Currency),
});
const refundedCharge = { metadata: Metadata, payment_intent: Intent };
const Charge = z.union([
  z.object({ ...refundedCharge, refunded: z.literal(true) }),
  z.object({ ...refundedCharge, refunded: z.literal(false), amount_refunded: Amount, currency: Currency }),
]);
const claimed = { id: Id, payment_intent: Intent, amount: Amount, currency: Currency };
const FailedRefund = z.object(claimed);
const Refund = z.object({ ...claimed, status: z.nullable(z.string()) });
const Dispute = z.object({
  ...claimed,
  status: z.string(),
  balance_transactions: z.optional(z.array(z.object({ amount: Whole }))),
});

const dataOf = <Subject extends z.ZodMiniType>(object: Subject) => z.object({ object });
const SessionEvent = z.object({
  id: Id,
  type: z.string(),
  created: z.optional(Whole),
  data: dataOf(Session),
});
/** An event that claims money is dated: the order of claims decides. */
const claimEvent = <Subject extends z.ZodMiniType>(object: Subject) =>
  z.object({ id: Id, type: z.string(), created: Whole, data: dataOf(object) });
const DisputeEvent = claimEvent(Dispute);

type SessionEvent = z.infer<typeof SessionEvent>;
type DisputeEvent = z.infer<typeof DisputeEvent>;

const nothing = { kind: 'nothing' } as const;

type Reader = (signed: unknown, applicationId: string) => StripeReading;

/** Reads the events of a schema. One that does not have its form is unreadable. */
const reader =
  <Event extends z.ZodMiniType>(
    schema: Event,
    read: (event: z.infer<Event>, applicationId: string) => StripeReading,
  ): Reader =>
  (signed, applicationId) => {
    const { success, data } = schema.safeParse(signed);
    return success ? read(data, applicationId) : { kind: 'unreadable' };
  };

const session = reader(SessionEvent, paymentOf);
const dispute = reader(DisputeEvent, (event, applicationId) =>
  claimOf(event, applicationId, disputeClaim(event)),
);
const refund = reader(claimEvent(Refund), (event, applicationId) => {
  const { object } = event.data;
  // The money of a cancelled refund never left, or is back.
  const isFailed = object.status === 'failed' || object.status === 'canceled';
  return claimOf(event, applicationId, isFailed ? failure(object) : undefined);
});

/** The types of events that report money. Events of all others report nothing. */
const readers: Readonly<Record<string, Reader | undefined>> = {
  'checkout.session.completed': session,
  'checkout.session.async_payment_succeeded': session,
  'checkout.session.async_payment_failed': session,
  'charge.dispute.created': dispute,
  'charge.dispute.updated': dispute,
  'charge.dispute.funds_withdrawn': dispute,
  'charge.dispute.closed': dispute,
  'charge.dispute.funds_reinstated': dispute,
  'charge.refunded': reader(claimEvent(Charge), (event, applicationId) => {
    const { object: charge } = event.data;
    if (charge.metadata.applicationId !== applicationId) return nothing;
    const totalMinor = charge.refunded ? undefined : minorOf(charge.amount_refunded, charge.currency);
    if (totalMinor === 0) return nothing;
    return claimOf(event, applicationId, { claim: 'refund', totalMinor });
  }),
  'refund.failed': reader(claimEvent(FailedRefund), (event, applicationId) =>
    claimOf(event, applicationId, failure(event.data.object)),
  ),
  // Until 2024-10-28, `charge.refund.updated` alone tells that the refund of a charge has failed.
  'refund.updated': refund,
  'charge.refund.updated': refund,
};

const Typed = z.object({ type: z.string() });

export function readEvent(signed: unknown, applicationId: string): StripeReading {
  const { success, data } = Typed.safeParse(signed);
  if (!success) return { kind: 'unreadable' };
  const read = Object.hasOwn(readers, data.type) ? readers[data.type] : undefined;
  return read === undefined ? nothing : read(signed, applicationId);
}

const paidStatuses: readonly string[] = ['paid', 'no_payment_required'];

/**
 * The payment of a session. `unpaid`: a direct debit is under way, and a further event reports its end. Other systems may open
 * sessions in the same account: those have no ids of this application in their metadata.
 * https://docs.stripe.com/payments/checkout/fulfill-orders#delayed-notification
 */
function paymentOf({ id: eventId, type, created, data }: SessionEvent, applicationId: string): StripeReading {
  const { id, metadata, payment_status, payment_intent, amount_total, currency: code } = data.object;
  const invoiceId = metadata?.invoiceId;
  if (metadata?.applicationId !== applicationId || !invoiceId) return nothing;
  // Every session that this service opens has both.
  if (amount_total === null || code === null) return { kind: 'unreadable' };
  const currency = code.toUpperCase();
  const event: PaymentEvent = {
    applicationId,
    invoiceId,
    eventId,
    currency,
    // A session of amount 0 has no payment.
    paymentId: idOf(payment_intent) ?? id,
    amountMinor: fromStripeAmount(amount_total, currency),
    method: payment_status === 'unpaid' ? 'direct_debit' : 'card',
    ...defined({ atMs: created ? created * secondMs : undefined }),
  };
  if (type === 'checkout.session.async_payment_failed') return { kind: 'failed', event };
  if (payment_status === 'unpaid') return { kind: 'processing', event };
  return { kind: paidStatuses.includes(payment_status) ? 'paid' : 'unreadable', event };
}

/**
 * The claim of a dispute; undefined when it moves no money. A dispute has up to two balance transactions: of money that leaves the
 * account, and of money that comes back. An inquiry of the bank (`warning_...`) and a dispute that was `prevented` have none, unless an
 * event says that funds were withdrawn. Whichever event shows first that money left claims it. https://docs.stripe.com/api/disputes/object
 *
 * Of a partially refunded payment a part comes back although the dispute is lost: that is no claim.
 * https://docs.stripe.com/disputes#disputes-on-partially-refunded-payments
 */
function disputeClaim({ type, data }: DisputeEvent): WithoutTime<Claim> | undefined {
  const { id, status, amount, currency, balance_transactions: moves } = data.object;
  const movedMinor = (moves ?? []).reduce((sum, { amount: part }) => sum + part, 0);
  if (type === 'charge.dispute.closed' || type === 'charge.dispute.funds_reinstated') {
    const isBack = status === 'won' || (moves !== undefined && moves.length > 0 && movedMinor >= 0);
    if (isBack) return { claim: 'dispute_won', id };
    if (type === 'charge.dispute.funds_reinstated') return undefined;
  }
  const isFormal = status !== 'prevented' && !status.startsWith('warning_');
  const isCreated = type === 'charge.dispute.created';
  // The money of a dispute that is won can still be on its way back.
  const isTaken = moves === undefined ? isCreated && isFormal : movedMinor < 0 && status !== 'won';
  if (type !== 'charge.dispute.funds_withdrawn' && !isTaken) return undefined;
  return { claim: 'dispute', id, amountMinor: minorOf(amount, currency) };
}

function failure({ id, amount, currency }: z.infer<typeof FailedRefund>) {
  return { claim: 'refund_failed', id, amountMinor: minorOf(amount, currency) } as const;
}

type WithoutTime<C> = C extends Claim ? Omit<C, 'atMs'> : never;

function claimOf(
  {
    id: eventId,
    created,
    data,
  }: { id: string; created: number; data: { object: { payment_intent: Intent } } },
  applicationId: string,
  claim: WithoutTime<Claim> | undefined,
): StripeReading {
  const paymentId = idOf(data.object.payment_intent);
  if (paymentId === undefined || claim === undefined) return nothing;
  const atMs = created * secondMs;
  return { kind: 'claim', event: { applicationId, paymentId, eventId, claim: { ...claim, atMs } } };
}

const minorOf = (amount: number, currency: string) => fromStripeAmount(amount, currency.toUpperCase());

const idOf = (object: Intent) => (typeof object === 'string' ? object : object?.id);
