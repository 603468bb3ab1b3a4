/** The fields of a subscription that each effect may change, besides the status, the fields that every write sets, and those of a state that it leaves. */
import type {
  Status,
  SubscriptionFields,
} from '../../../../../functions/subscriptions/record/subscription.ts';

type Fields = readonly (keyof SubscriptionFields)[];

const ended = ['endedAtMs', 'endReason', 'openInvoices', 'debts'] as const;
const term = [
  'billingAnchor',
  'termIndex',
  'termStartMs',
  'termEndMs',
  'renewalInvoiced',
  'plan',
  'plannedChange',
  'paidTerms',
  'charges',
  'openInvoices',
  'processing',
] as const;
const resumed = [
  'billingAnchor',
  'termIndex',
  'termStartMs',
  'termEndMs',
  'paidTerms',
  'charges',
  'startAtMs',
  'trialRemainder',
] as const;
const moved = ['billingAnchor', 'termIndex', 'termEndMs', 'paidTerms'] as const;
const firstTerm = [...term, 'startAtMs', 'trialRemainder'] as const;

/** By the name of the effect, and by the state before it where that makes a difference. */
const fields: Readonly<Record<string, Fields | Partial<Record<Status, Fields>>>> = {
  beginTrial: ['trialStartMs', 'trialEndMs', 'trialReminderSent'],
  beginFreeTerm: [...firstTerm, 'invoiceCount'],
  awaitPayment: ['paymentDeadlineMs', 'paymentReminderSent', 'invoiceCount', 'openInvoices'],
  beginPaidTerm: [...firstTerm],
  beginTermAfterTrial: [...term, 'invoiceCount'],
  beginCoveredTerm: [...term, 'invoiceCount'],
  continueTerm: term,
  payPartOfArrears: [...term, 'dunning'],
  revive: [...term, 'startAtMs', 'debts', 'invoiceCount'],
  issueTrialInvoice: ['trialReminderSent', 'invoiceCount', 'openInvoices'],
  end: ended,
  endUnpaid: ended,
  ruleOutRevival: [],
  sendPaymentReminder: ['paymentReminderSent'],
  issueRenewalInvoice: [...term, 'invoiceCount', 'policy', 'gateway', 'seller'],
  enterDunning: ['dunning'],
  sendDunningReminder: ['dunning'],
  pause: ['pausedAtMs', 'resumesAtMs'],
  resume: resumed,
  resumeInArrears: ['dunning', ...resumed],
  cancelAtPeriodEnd: ['cancelAtPeriodEnd'],
  undoCancellation: ['cancelAtPeriodEnd'],
  changeTrialPlan: ['plan', 'invoiceCount', 'openInvoices'],
  changePlan: [...term, 'invoiceCount', 'creditNoteCount'],
  schedulePlanChange: ['plannedChange', 'openInvoices', 'renewalInvoiced'],
  undoPlanChange: ['plannedChange', 'openInvoices', 'renewalInvoiced'],
  beginPlannedChange: ['paidTerms', 'charges'],
  enterDunningOfChange: ['dunning'],
  extendTrial: ['trialEndMs', 'trialReminderSent'],
  grantDays: moved,
  setAutoRenew: ['autoRenew'],
  reopenInvoices: {
    active: ['openInvoices', 'dunning'],
    past_due: ['openInvoices'],
    paused: ['openInvoices'],
    cancelled: ['debts'],
    expired: ['debts'],
  },
  payDebts: ['debts'],
  recordUnapplied: ['processing'],
  recordCredit: ['processing'],
  returnMoney: ['openInvoices'],
  payOutCredit: [],
  creditInvoice: [...term, 'creditNoteCount', 'dunning', 'debts', 'trialReminderSent'],
  recordPartialPayment: ['openInvoices', 'processing'],
  reverseParts: ['openInvoices'],
  awaitProcessing: ['processing'],
  endProcessing: ['processing'],
  recordRefund: ['openInvoices', 'creditNoteCount', 'charges'],
  refundAndEnd: [...ended, 'creditNoteCount', 'charges'],
};

const isList = (value: Fields | Partial<Record<Status, Fields>>): value is Fields => Array.isArray(value);

/** The fields that an effect may change in a state. @throws Error for an effect without a row. */
export function fieldsOf(effect: string, from: Status | 'none'): Fields {
  const found = fields[effect];
  if (found === undefined) throw new Error(`No fields of the effect ${effect}`);
  if (isList(found)) return found;
  const ofState = from === 'none' ? undefined : found[from];
  if (ofState === undefined) throw new Error(`No fields of the effect ${effect} in the state ${from}`);
  return ofState;
}
