import type { Invoice } from '../../invoices/invoice.ts';
import { invoiceStore } from '../../invoices/store.ts';
import type { Payment } from '../../ledger/payment.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { toDecimal } from '../../shared/money/money.ts';
import type { Misfit } from './exact.ts';

/** The amount that an invoice is to have of the payment, in minor units. */
export interface WantedPart {
  readonly invoiceId: string;
  readonly amountMinor: number;
}

export interface Wanted {
  readonly invoice: Invoice;
  readonly amountMinor: number;
  readonly i: number;
}

/** @throws ApiError `invalid_request` for an invoice of another application or currency. */
export async function findInvoices(
  { applicationId, currency }: Payment,
  parts: readonly WantedPart[],
): Promise<readonly Wanted[]> {
  const found = await Promise.all(parts.map(({ invoiceId }) => invoiceStore.find(applicationId, invoiceId)));
  return parts.map(({ amountMinor }, i) => {
    const invoice = found[i];
    if (invoice === undefined) throw invalid(i, 'invoiceId', 'is that of no invoice');
    if (invoice.currency !== currency) throw invalid(i, 'invoiceId', `is not in ${currency}`);
    return { invoice, amountMinor, i };
  });
}

/** The subscription that the payment is for: of several clients, it is for none. */
export function ownerOf(wanted: readonly Wanted[]): Pick<Payment, 'externalId' | 'subscriptionId'> {
  const [first] = wanted;
  if (first === undefined) return {};
  const { externalId, subscriptionId } = first.invoice;
  return wanted.every(({ invoice }) => invoice.externalId === externalId)
    ? { externalId, subscriptionId }
    : {};
}

export const groupsOf = (wanted: readonly Wanted[]): readonly (readonly Wanted[])[] => [
  ...Map.groupBy(wanted, ({ invoice }) => invoice.subscriptionId).values(),
];

const isOf =
  ({ subscriptionId, n }: Pick<Invoice, 'subscriptionId' | 'n'>) =>
  (one: Pick<Invoice, 'subscriptionId' | 'n'>) =>
    one.subscriptionId === subscriptionId && one.n === n;

const appliedMinor = ({ allocations }: Payment, invoice: Invoice): number =>
  allocations.find(isOf(invoice))?.amountMinor ?? 0;

/** The parts of a payment that are on invoices beyond what is wanted there. */
export function excessOf({ allocations }: Payment, wanted: readonly Wanted[]): Payment['allocations'] {
  return allocations.flatMap((one) => {
    const wantedMinor = wanted.find(({ invoice }) => isOf(invoice)(one))?.amountMinor ?? 0;
    const amountMinor = one.amountMinor - wantedMinor;
    return amountMinor > 0 ? [{ ...one, amountMinor }] : [];
  });
}

export function missingOf(payment: Payment, group: readonly Wanted[]): readonly Wanted[] {
  return group.flatMap(({ invoice, amountMinor, i }) => {
    const missingMinor = amountMinor - appliedMinor(payment, invoice);
    return missingMinor > 0 ? [{ invoice, amountMinor: missingMinor, i }] : [];
  });
}

export function misfitError(misfit: Misfit, payment: Payment, missing: readonly Wanted[]): ApiError {
  const { i, invoice } = missing.find((one) => one.invoice.n === misfit.n) ?? {};
  if (i === undefined || invoice === undefined) throw new Error('The invoice was not asked for');
  if ('problem' in misfit) return invalid(i, 'invoiceId', misfit.problem);
  const { currency } = payment;
  return invalid(i, 'amount', 'is more than what is due and what the payment has on the invoice', {
    due: toDecimal(misfit.dueMinor, currency),
    applied: toDecimal(appliedMinor(payment, invoice), currency),
    currency,
  });
}

const invalid = (i: number, field: 'invoiceId' | 'amount', problem: string, more: object = {}) =>
  new ApiError('invalid_request', { details: { [`invoices[${i}].${field}`]: problem, ...more } });
