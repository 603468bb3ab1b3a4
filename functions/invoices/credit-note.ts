import type { DocumentTax } from './tax.ts';

export const creditNoteReasons = ['refund', 'plan_change', 'correction', 'cancellation'] as const;

export type CreditNoteReason = (typeof creditNoteReasons)[number];

/** A credit note as it is stored. It corrects one invoice, and has a number of its own. Amounts in minor units. Its tax is part of that of its invoice. */
export interface CreditNote extends DocumentTax {
  creditNoteId: string;
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  /** The number within the subscription: from 1, without gaps. */
  n: number;
  /** `CRN-<code of the reference number>-<n>`, or the next number of the seller's series. */
  number: string;
  reason: CreditNoteReason;
  /** For one that the seller asked for: why, in their words. */
  sellerReason?: string;
  invoiceId: string;
  invoiceN: number;
  invoiceNumber: string;
  /** The credited amount, positive, tax included. */
  totalMinor: number;
  currency: string;
  issuedAtMs: number;
}

/** `CRN-7K3M9XQP-1` */
export const creditNoteNumber = (referenceCode: string, n: number): string => `CRN-${referenceCode}-${n}`;
