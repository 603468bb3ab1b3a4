import type { BillingCycle, Plan } from '../plans/plan.ts';

/** What of a plan holds for a term that was sold: later edits change it no more. */
export interface PlanSnapshot {
  planId: string;
  name: string;
  priceMinor: number;
  currency: string;
  billingCycle: BillingCycle;
}

export function planSnapshot({ planId, name, priceMinor, currency, billingCycle }: Plan): PlanSnapshot {
  return { planId, name, priceMinor, currency, billingCycle };
}

/** Where to pay by bank transfer, as the application set it. */
export interface Banking {
  accountHolder: string;
  bankName: string;
  accountNumber?: string | undefined;
  iban?: string | undefined;
  bic?: string | undefined;
  branchCode?: string | undefined;
}

type InvoiceStatus = 'open' | 'paid' | 'void' | 'uncollectible';

/** An invoice as the table keeps it. Amounts in minor units of the currency, times in epoch milliseconds. */
export interface Invoice {
  /** `inv_...` */
  invoiceId: string;
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  /** Counts the invoices of the subscription, from 1, without gaps. */
  n: number;
  /** `INV-<code of the reference number>-<n>`. */
  number: string;
  status: InvoiceStatus;
  /** Paid first, taken back later: it is open again, and its term was given already. */
  reversed?: boolean;
  plan: PlanSnapshot;
  totalMinor: number;
  currency: string;
  lines: readonly { description: string; quantity: number; amountMinor: number }[];
  /** The term it is for; unknown as long as that starts with the payment. */
  periodStartMs?: number;
  periodEndMs?: number;
  seller: { name: string; banking?: Banking };
  customer: { name?: string; email: string };
  /** What the customer names with a bank transfer: the reference number of the subscription. */
  paymentReference: string;
  /** Whether it can be paid on a page: `none` means by bank transfer only. */
  gateway: 'none' | 'sandbox' | 'stripe';
  /** The gateway's open checkout for it, so that it can be closed. */
  checkoutId?: string;
  /** The gateway's payment that paid it. */
  paymentId?: string;
  issuedAtMs: number;
  dueAtMs: number;
  paidAtMs?: number;
  /** Void or uncollectible since. */
  closedAtMs?: number;
}

/** `INV-7K3M9QXA-2` */
export function invoiceNumber(referenceCode: string, n: number): string {
  return `INV-${referenceCode}-${n}`;
}
