import type { ClientProfile } from '../clients/client.ts';
import type { Settled } from '../ledger/settled.ts';
import type { BillingCycle, Plan } from '../plans/plan.ts';
import type { ApplicationSettings } from '../shared/accounts/application-settings.ts';
import { defined } from '../shared/contract/defined.ts';
import type { LaterPosting } from './due.ts';
import type { DocumentTax } from './tax.ts';

/** A plan as it was sold for a term: later edits of the plan do not change it. */
export interface PlanSnapshot {
  planId: string;
  name: string;
  priceMinor: number;
  currency: string;
  billingCycle: BillingCycle;
  /** How many units, each at `priceMinor`. Absent for a plan that sells one. */
  quantity?: number;
  /** Absent for none, and on invoices. */
  features?: readonly string[];
}

/** The plan as sold now, in a quantity that it allows. */
export function planSnapshot(plan: Plan, quantity?: number): PlanSnapshot {
  const { planId, name, priceMinor, currency, billingCycle, features } = plan;
  const sold = { planId, name, priceMinor, currency, billingCycle };
  return { ...sold, ...defined({ quantity, features: features.length > 0 ? features : undefined }) };
}

/**
 * The plan as it is sold again to a subscription that has it, or another plan. Its price stays where changes are for new
 * subscriptions.
 */
export function soldAgain(plan: Plan, present: PlanSnapshot, quantity: number | undefined): PlanSnapshot {
  const sold = planSnapshot(plan, quantity);
  if (plan.priceChanges !== 'new_subscriptions' || plan.planId !== present.planId) return sold;
  const { priceMinor, currency, billingCycle } = present;
  return Object.assign(sold, { priceMinor, currency, billingCycle });
}

/** The price of a term: of all units, in minor units. */
export function planAmount({
  priceMinor,
  quantity = 1,
}: Pick<PlanSnapshot, 'priceMinor' | 'quantity'>): number {
  return priceMinor * quantity;
}

export type Banking = NonNullable<ApplicationSettings['banking']>;
export type LegalEntity = NonNullable<ApplicationSettings['seller']>;

/** The seller as an invoice names them. Directive 2006/112/EC, Article 226, points 3 and 5. */
export interface Seller {
  name: string;
  banking?: Banking;
  /** Who sells by law, from the settings of the application. */
  legal?: LegalEntity;
  /** The IANA name of the time zone of dates. UTC when absent. */
  timeZone?: string;
}

type Customer = Pick<ClientProfile, 'name' | 'email' | 'address' | 'vatId'>;

export interface InvoiceLine {
  description: string;
  quantity: number;
  /** For all units, in the terms of `pricesInclude`. */
  amountMinor: number;
}

export const invoiceStatuses = ['open', 'paid', 'void', 'uncollectible', 'refunded'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** The due date of an invoice, and its term as far as it is known. In epoch milliseconds. */
export interface InvoiceDates {
  dueAtMs: number;
  periodStartMs?: number;
  periodEndMs?: number;
}

/** An invoice as it is stored. Amounts in minor units of the currency, times in epoch milliseconds. */
export interface Invoice extends DocumentTax, InvoiceDates {
  invoiceId: string;
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  /** The number within the subscription: from 1, without gaps. */
  n: number;
  /** `INV-<code of the reference number>-<n>`, or the next number of the seller's series. */
  number: string;
  status: InvoiceStatus;
  /** Whether its payment was reversed. The invoice is open again, and its term has already been granted. */
  reversed?: boolean;
  plan: PlanSnapshot;
  /** The amount owed, tax included. */
  totalMinor: number;
  /** The settled amounts, by kind. Absent while nothing is settled. */
  settled?: Settled;
  /** The settled amounts at its issue: the credit that paid, and a debt. Absent for none. */
  settledAtIssue?: Settled;
  /** The postings on its receivable after the change that issued it. */
  postings?: readonly LaterPosting[];
  /** For a change of plan: its time was granted before it was paid. */
  isGranted?: true;
  currency: string;
  lines: readonly InvoiceLine[];
  /** Whether the amounts of the lines include the tax. Absent without tax. */
  pricesInclude?: 'inclusive' | 'exclusive';
  /** The dates at its issue, when they have moved since. The term is undefined when it starts with the payment. */
  datesAtIssue?: InvoiceDates;
  seller: Seller;
  customer: Customer;
  /** The reference for a bank transfer: the reference number of the subscription. */
  paymentReference: string;
  /** The gateway through which it can be paid; `none`: by bank transfer only. */
  gateway: 'none' | 'sandbox' | 'stripe';
  /** The gateway's open checkout, so that it can be closed. */
  checkoutId?: string;
  paymentId?: string;
  issuedAtMs: number;
  paidAtMs?: number;
  /** When it became void or uncollectible. */
  closedAtMs?: number;
  /**
   * The number of events `invoice.*`, which is the `sequence` of the latest. Every change raises it, so that a write is
   * conditioned on the invoice as read.
   */
  eventCount: number;
}

/** `INV-7K3M9XQP-2` */
export const invoiceNumber = (referenceCode: string, n: number): string => `INV-${referenceCode}-${n}`;
