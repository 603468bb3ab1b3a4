/** The invoices that a payment pays: the one that it names, then the oldest. */
import type { Settled } from '../ledger/settled.ts';
import { dueMinor } from './due.ts';

/** The fields of an invoice that are read. Amounts in minor units. */
export interface Payable {
  readonly n: number;
  readonly totalMinor: number;
  readonly settled?: Settled;
  readonly currency: string;
}

interface PaymentPart {
  readonly n: number;
  readonly amountMinor: number;
}

/** The distribution of a payment: `parts` and `overpaymentMinor` add up to its amount. */
export interface Distribution {
  readonly paid: readonly number[];
  readonly parts: readonly PaymentPart[];
  /** The amount that no invoice takes. It becomes credit of the client. */
  readonly overpaymentMinor: number;
}

/** Whether invoices are open, and the client's credit covers all of them. */
export function isCovered(openInvoices: readonly Payable[]): boolean {
  return openInvoices.length > 0 && openInvoices.every((invoice) => dueMinor(invoice) === 0);
}

/**
 * Distributes an amount over open invoices of its currency: the named one first, then the oldest.
 *
 * @param payment.toleranceMinor how much may be missing from an invoice that is paid all the same: banks deduct fees. It is
 * granted once, to the invoice for which the money runs out.
 * @param payment.firstN the named invoice.
 */
export function allocate(
  openInvoices: readonly Payable[],
  {
    amountMinor,
    currency,
    toleranceMinor,
    firstN,
  }: { amountMinor: number; currency: string; toleranceMinor: number; firstN?: number | undefined },
): Distribution {
  const rank = ({ n }: Payable) => (n === firstN ? 0 : n);
  const invoices = openInvoices
    .filter((invoice) => invoice.currency === currency)
    .toSorted((a, b) => rank(a) - rank(b));
  const paid: number[] = [];
  const parts: PaymentPart[] = [];
  let overpaymentMinor = amountMinor;
  for (const invoice of invoices) {
    const due = dueMinor(invoice);
    const part = Math.min(overpaymentMinor, due);
    if (part > 0) parts.push({ n: invoice.n, amountMinor: part });
    if (due === 0 || (part > 0 && due - part <= toleranceMinor)) paid.push(invoice.n);
    overpaymentMinor -= part;
  }
  return { paid, parts, overpaymentMinor };
}
