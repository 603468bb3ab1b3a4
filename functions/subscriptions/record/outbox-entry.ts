import type { BillingCycle } from '../../plans/plan.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import type { MailTemplate } from './mail-rules.ts';

export const outboxRetentionMs = 90 * dayMs;

/** The content of a mail at the time of the change. Amounts in minor units, times in epoch milliseconds. */
export interface MailFacts extends Partial<FactsOfSome> {
  seller: string;
  referenceNumber: string;
  planName: string;
  /** The price of the plan for a term, tax included. */
  priceMinor: number;
  currency: string;
  billingCycle: BillingCycle;
}

/** The facts that some mails have. */
interface FactsOfSome {
  /** The seller's. */
  timeZone: string;
  customerName: string;
  /** The amount due over all open invoices, for reminders. */
  openMinor: number;
  /** The payment that the mail is about, or what of it was refunded or is credit, in `currency`. */
  paymentMinor: number;
  /** Why that money came back, where it is no payment that arrives. */
  cause: MoneyCause;
  /** For money that left: the seller says so, and no bank or gateway. */
  isStated: true;
  /** The quantity of the plan, for a plan that is sold in units. */
  quantity: number;
  trialEndMs: number;
  termStartMs: number;
  termEndMs: number;
  /** For reminders: which one of how many, when full access ends, and when the subscription ends unpaid. */
  reminder: { index: number; of: number; graceEndsMs: number; endsMs: number };
  /** For a pending subscription: until when a payment starts it. */
  startsUntilMs: number;
  /** Mails of the same moment, which this one tells in a sentence. */
  news: readonly MailNews[];
  /** For ends: when access ended, and why. */
  endedAtMs: number;
  /** The amount that became credit of the client. For a refund below 0: it was taken from the credit. */
  creditMinor: number;
  /** The credit of the client after the change. Below 0, what was spent was taken back. */
  balanceMinor: number;
  /** For changes of plan: the plan before with its price for a term, tax included. */
  formerPlanName: string;
  formerPriceMinor: number;
  formerBillingCycle: BillingCycle;
  formerQuantity: number;
  /** When the change takes effect, and from when the new price applies if that is later. */
  changesAtMs: number;
  priceFromMs: number;
  resumesAtMs: number;
  /** For a cancellation at once: the end of the paid term that it cuts short. */
  unusedUntilMs: number;
  reason: 'trial_over' | 'unpaid' | 'not_renewed' | 'cancelled' | 'period_over' | 'replaced';
  /** For ends: it was never paid, and had no trial. */
  isNeverBegun: boolean;
  /** For unpaid ends: what is owed of terms that were granted, and whether the next term was invoiced as well. */
  owedMinor: number;
  isNextTermInvoiced: boolean;
  /** For unpaid ends: a part of what was asked for had arrived. */
  isPartlyPaid: boolean;
  /** For credit notes that the seller asks for: why, in their words. */
  sellerReason: string;
}

/** Why money came back. `dispute_won`: or a reversal was undone. */
export type MoneyCause = 'refund_failed' | 'dispute_won';

/** A mail that another one tells. `endsMs`: the end of the term or the trial then. */
interface MailNews
  extends Partial<
    Pick<MailFacts, 'paymentMinor' | 'cause' | 'isStated' | 'creditMinor' | 'balanceMinor' | 'currency'>
  > {
  template: MailTemplate;
  endsMs: number;
}

export interface Mail {
  template: MailTemplate;
  to: string;
  facts: MailFacts;
  /** The invoice that is attached as PDF, with a link to its payment page. */
  invoiceN?: number;
  /** The credit notes that are attached as PDF. */
  creditNoteNs?: readonly number[];
}

/** A mail that waits, in the subscription, for the steps that are due. */
export interface HeldMail {
  id: string;
  mail: Mail;
  /** Its entry was just written. The next change takes it back if it has a mail of its own. Never stored. */
  isWritten?: true;
}

export interface SentMail {
  subject: string;
  text: string;
}

/**
 * An effect outside the table: a mail to send, or a gateway's checkout to close. It is written exactly once, in
 * the transaction of the change that causes it. `entryId` is `template` or `template#step`.
 */
export type OutboxEntry = OutboxState &
  HeldState &
  GivenUpState &
  (({ kind: 'mail' } & Mail) | { kind: 'close_checkout'; invoiceN: number });

interface OutboxState extends Partial<DeliveryMarks> {
  entryId: string;
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  createdAtMs: number;
  /** The revision of the subscription that the change wrote, and the position among the entries of that change. */
  revision: number;
  position: number;
  /** Until then, only the process that leased the entry may deliver it. */
  leasedUntilMs: number;
  attempts: number;
  /** Tries after which SES may have accepted the mail, the current one included. */
  possibleCopies: number;
}

/** Set as an entry is delivered. */
interface DeliveryMarks {
  /** The partition and the position in the index of due work, until the entry is finished. */
  due: string;
  dueAt: string;
  /** The random id of the lease. Absent when no process has leased the entry. */
  leaseId: string;
  /** The day (UTC) for whose quota the mail was counted last, `2026-11-22`. */
  countedOn: string;
  doneAtMs: number;
  /** The mail as it was sent, without the addresses of its links, which are secret. */
  sent: SentMail;
  droppedAtMs: number;
  /** When an operator last had a given-up entry delivered again. */
  redrivenAtMs: number;
}

/** Until when the mail waits, or waited, because a quota of the application is used up, and which. */
type HeldState =
  | { heldUntilMs: number; heldBy: 'recipient' | 'application' }
  | Partial<Record<'heldUntilMs' | 'heldBy', never>>;

/** When delivery was given up, and why: the name of the last error, or `GivenUpByOperator`. */
type GivenUpState =
  | { givenUpAtMs: number; failure: string }
  | Partial<Record<'givenUpAtMs' | 'failure', never>>;
