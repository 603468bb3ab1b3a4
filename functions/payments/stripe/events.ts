/** The events of Stripe that report payments and reversals. https://docs.stripe.com/api/events/types */
import * as z from 'zod/mini';
import type { Claim } from '../../ledger/claims.ts';
import { defined } from '../../shared/contract/defined.ts';
import { secondMs } from '../../shared/runtime/duration.ts';
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

export const EventId = z.string().check(z.minLength(1), z.maxLength(255));
const Id = EventId;
const Amount = z.int().check(z.gte(0));
const Currency = z.string().check(z.length(3));
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
  balance_transactions: z.optional(z.array(z.object({ amount: z.int() }))),
});

/** An event that claims money is dated: the order of claims decides. */
const about = <const Types extends readonly string[], Subject extends z.core.$ZodType>(
  types: Types,
  object: Subject,
) => z.object({ id: Id, type: z.enum(types), created: z.int(), data: z.object({ object }) });

const sessionTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
] as const;
const disputeTypes = [
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
] as const;
/** Until 2024-10-28, `charge.refund.updated` alone tells that the refund of a charge has failed. */
const refundTypes = ['refund.updated', 'charge.refund.updated'] as const;

const BookedEvent = z.discriminatedUnion('type', [
  z.extend(about(sessionTypes, Session), { created: z.optional(z.int()) }),
  about(disputeTypes, Dispute),
  about(['charge.refunded'], Charge),
  about(['refund.failed'], FailedRefund),
  about(refundTypes, Refund),
]);
type BookedEvent = z.infer<typeof BookedEvent>;
type SessionEvent = Extract<BookedEvent, { type: (typeof sessionTypes)[number] }>;
type DisputeEvent = Extract<BookedEvent, { type: (typeof disputeTypes)[number] }>;

const bookedTypes: ReadonlySet<string> = new Set([
  ...sessionTypes,
  ...disputeTypes,
  'charge.refunded',
  'refund.failed',
  ...refundTypes,
]);
const OtherEvent = z.object({ type: z.string().check(z.refine((type) => !bookedTypes.has(type))) });

const nothing = { kind: 'nothing' } as const;

/** The reading of a signed event, for an application. */
export function readEvent(signed: unknown, applicationId: string): StripeReading {
  if (OtherEvent.safeParse(signed).success) return nothing;
  const { data: event } = BookedEvent.safeParse(signed);
  if (event === undefined) return { kind: 'unreadable' };
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
      return paymentOf(event, applicationId);
    case 'charge.dispute.created':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_reinstated':
      return claimOf(event, applicationId, disputeClaim(event));
    case 'charge.refunded': {
      const { object: charge } = event.data;
      if (charge.metadata.applicationId !== applicationId) return nothing;
      const totalMinor = charge.refunded ? undefined : minorOf(charge.amount_refunded, charge.currency);
      if (totalMinor === 0) return nothing;
      return claimOf(event, applicationId, { claim: 'refund', totalMinor });
    }
    case 'refund.failed':
      return claimOf(event, applicationId, failure(event.data.object));
    case 'refund.updated':
    case 'charge.refund.updated': {
      const { object: refund } = event.data;
      // The money of a cancelled refund never left, or is back.
      const isFailed = refund.status === 'failed' || refund.status === 'canceled';
      return claimOf(event, applicationId, isFailed ? failure(refund) : undefined);
    }
  }
}

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
  return { kind: payment_status === 'unpaid' ? 'processing' : 'paid', event };
}

/**
 * The claim of a dispute; undefined when it moves no money. A dispute has up to two balance transactions: of money that leaves the
 * account, and of money that comes back. An inquiry of the bank (`warning_...`) and a dispute that was `prevented` have none, unless an
 * event says that funds were withdrawn. https://docs.stripe.com/api/disputes/object
 *
 * Of a partially refunded payment a part comes back although the dispute is lost: that is no claim.
 * https://docs.stripe.com/disputes#disputes-on-partially-refunded-payments
 */
function disputeClaim({ type, data }: DisputeEvent): WithoutTime<Claim> | undefined {
  const { id, status, amount, currency, balance_transactions: moves } = data.object;
  const movedMinor = (moves ?? []).reduce((sum, { amount: part }) => sum + part, 0);
  if (type === 'charge.dispute.closed' || type === 'charge.dispute.funds_reinstated') {
    const isBack = status === 'won' || (moves !== undefined && moves.length > 0 && movedMinor >= 0);
    return isBack ? { claim: 'dispute_won', id } : undefined;
  }
  const isFormal = status !== 'prevented' && !status.startsWith('warning_');
  const isWithdrawn = moves === undefined ? isFormal : movedMinor < 0;
  if (type === 'charge.dispute.created' && !isWithdrawn) return undefined;
  return { claim: 'dispute', id, amountMinor: minorOf(amount, currency) };
}

const failure = ({ id, amount, currency }: z.infer<typeof FailedRefund>) =>
  ({ claim: 'refund_failed', id, amountMinor: minorOf(amount, currency) }) as const;

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
