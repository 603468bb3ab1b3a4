/** Shared by courses: amounts, plans, sellers and steps. */
import { dueMinor, sumDueMinor } from '../../../../../../functions/invoices/due.ts';
import { credit, entry, receivable, transfer } from '../../../../../../functions/ledger/entry.ts';
import { arriving, type Movement, movedEntry } from '../../../../../../functions/payments/settle/movement.ts';
import { defined } from '../../../../../../functions/shared/contract/defined.ts';
import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import type { ReceivedMoney } from '../../../../../../functions/subscriptions/machine/event.ts';
import { soldPlan } from '../../../../../support/subscriptions/sold.ts';
import * as states from '../../../../../support/subscriptions/state-samples.ts';
import type { Step } from './course.ts';

export const paymentOf = (amountMinor: number) => ({
  paymentId: `pay_${amountMinor}`,
  amountMinor,
  currency: 'EUR',
});

/** Money of a payment by the `n` of its invoices, of the client's credit, and that waits for a decision. */
interface Money {
  readonly parts?: readonly (readonly [n: number, amountMinor: number])[];
  readonly creditMinor?: number;
  readonly waitingMinor?: number;
}

/** A payment, and the entry by which its money arrives, waited, or comes back. */
export function paying(
  amountMinor: number,
  { parts = [], creditMinor = 0 }: Omit<Money, 'waitingMinor'>,
  movement: Movement = arriving('bank'),
): ReceivedMoney {
  const payment = paymentOf(amountMinor);
  const distribution = {
    parts: parts.map(([n, partMinor]) => ({ n, amountMinor: partMinor })),
    overpaymentMinor: creditMinor,
  };
  return { payment, booked: [movedEntry(movement, payment, distribution)] };
}

/** A payment of invoices that were written off: what it pays of them is owed again. */
export function payingDebts(
  amountMinor: number,
  money: Pick<Money, 'parts'>,
  movement?: Movement,
): ReceivedMoney {
  const { payment, booked } = paying(amountMinor, money, movement);
  const owed = (money.parts ?? []).map(([n, partMinor]) =>
    transfer('write_off', payment, {
      from: { account: 'write_off' },
      to: receivable(n),
      amountMinor: partMinor,
    }),
  );
  return { payment, booked: [...owed, ...booked] };
}

/** A payment, and the entry by which its money is taken back. */
export function taking(
  kind: 'refund' | 'dispute' | 'pay_out',
  amountMinor: number,
  { parts = [], creditMinor = 0, waitingMinor = 0 }: Money,
): ReceivedMoney {
  const payment = paymentOf(amountMinor);
  const takenMinor = parts.reduce((sum, [, partMinor]) => sum + partMinor, creditMinor + waitingMinor);
  const postings = [
    { account: kind === 'pay_out' ? 'bank' : 'gateway', amountMinor: -takenMinor },
    ...parts.map(([n, partMinor]) => ({ ...receivable(n), amountMinor: partMinor })),
    { ...credit, amountMinor: creditMinor },
    { account: 'unallocated', amountMinor: waitingMinor },
  ] as const;
  return { payment, booked: [entry(kind, payment, postings)] };
}

/** How a gateway gives disputed money back. */
export const disputeWon: Movement = { kind: 'dispute_won', from: 'gateway' };

/** All open invoices are paid by one payment of what is due of them. */
export const pay = (more: states.ContextFields = {}): Step => [
  'payment',
  ({ subscription: { openInvoices } }) => ({
    paid: openInvoices.map(({ n }) => n),
    ...paying(sumDueMinor(openInvoices, 'EUR'), {
      parts: openInvoices.map((open) => [open.n, dueMinor(open)]),
    }),
    ...more,
  }),
];
export const payAll = pay({ paymentId: 'pay_999' });

/** A payment of a closed invoice, which was not paid in part, makes an ended subscription active again. */
export const revive = (n: number, startMs: number | undefined): Step => [
  'payment_revived',
  ({ invoices }) => {
    const closed = invoices.filter((invoice) => invoice.n === n);
    return {
      isRevivable: true,
      paid: [n],
      ...paying(999, { parts: closed.map(({ totalMinor }) => [n, totalMinor]) }),
      revival: {
        invoices: closed.map(({ invoiceId, totalMinor, settled, plan }) => ({
          ...states.openInvoice,
          n,
          invoiceId,
          totalMinor,
          planOnPayment: plan,
          ...defined({ settled }),
        })),
        reissued: [],
        startMs,
      },
    };
  },
];

export const changeTo = (plan: typeof soldPlan | object, proration: 'credit' | 'none' = 'credit'): Step => [
  'change_plan',
  ({ invoices }) => ({ planChange: { plan: { ...soldPlan, ...plan }, proration, invoices } }),
];
export const scheduled: Step = [
  'schedule_plan_change',
  { planChange: { plan: states.otherPlan, proration: 'credit', invoices: [] } },
];
export const small = { planId: 'pln_small', name: 'Small', priceMinor: 333 };
export const annual = {
  planId: 'pln_year',
  name: 'Year',
  priceMinor: 9_990,
  billingCycle: 'annual',
} as const;
export const taxedSeller = {
  name: 'Example App',
  banking: { accountHolder: 'Acme', bankName: 'Bank' },
  legal: { legalName: 'Acme Oy', address: { line1: 'Street 1', city: 'Town', country: 'FI' } },
  tax: { rates: [{ country: 'DE', percent: 19 }], pricesInclude: 'exclusive', reverseCharge: true },
} as const;
export const german = { address: { line1: 'Weg 2', city: 'Berlin', country: 'DE' } };
export const atStripe = { gateway: 'stripe' } as const;
export const dunning = { fromMs: states.sampleNowMs - dayMs, reminders: 0 };
/** A refund of invoice 1 by its gateway, of credit, and of parts of open invoices. */
export const refund = (
  amountMinor: number,
  {
    creditMinor = 0,
    openParts = [],
    ...more
  }: states.ContextFields & Pick<Money, 'creditMinor'> & { readonly openParts?: Money['parts'] } = {},
): Step => [
  'payment_refunded',
  ({ invoices }) => ({
    ...taking('refund', 999, { parts: [[1, amountMinor], ...openParts], creditMinor }),
    refunded: invoices.filter(({ n }) => n === 1).map((invoice) => ({ invoice, amountMinor })),
    ...more,
  }),
];
