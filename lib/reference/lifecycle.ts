/**
 * The lifecycle of a subscription for the documentation: a diagram and a table, from the rows that the code
 * runs on.
 */
import { namedRepeats, namedTransitions } from '../../functions/subscriptions/machine/transitions.ts';

type Row = ReturnType<typeof namedTransitions>[number];
type EventName = Row['event'];

const events: Readonly<Record<EventName, string>> = {
  start: 'POST /subscriptions',
  payment: 'payment',
  trial_reminder: 'trial reminder due',
  trial_end: 'end of the trial',
  payment_reminder: 'first invoice due',
  payment_lapse: 'payment deadline',
  renewal_invoice: 'renewal invoice due',
  term_end: 'end of the term',
  dunning_reminder: 'dunning reminder due',
  dunning_end: 'end of dunning',
  resume: 'resume, or resumesAt',
  pause: 'pause',
  cancel: 'cancel',
  cancel_at_period_end: 'cancel, atPeriodEnd',
  uncancel: 'uncancel',
  change_plan: 'change of plan, now',
  schedule_plan_change: 'change of plan, at the end of the term',
  undo_plan_change: 'change back to the present plan',
  planned_change: 'start of the term of a planned plan',
  invoice_due: 'invoice of a change of plan overdue',
  extend_trial: 'PATCH, trialEnd',
  grant_days: 'PATCH, endDate',
  set_auto_renew: 'PATCH, autoRenew',
  supersede: 'superseded',
  replace: 'replaced',
  payment_reversed: 'payment reversed',
  payment_reinstated: 'dispute won',
  payment_unapplied: 'payment that cannot be applied',
  partial_payment: 'payment of a part',
  part_reversed: 'part, or credit, reversed',
  payment_credited: 'payment that pays no invoice',
  payment_processing: 'payment under way',
  payment_failed: 'payment under way fails',
  payment_refunded: 'refund at the gateway',
  payment_returned: 'payment sent back',
  credit_paid_out: 'credit paid out',
  invoice_credited: 'credit note asked for',
  payment_revived: 'late payment',
  debt_paid: 'payment of what is owed',
};

/** The texts of guards, by the names of their functions. A test compares both. */
export const guards: Readonly<Record<string, string>> = {
  trialAvailable: 'trial available',
  isFree: 'the plan is free',
  cancelsAtPeriodEnd: 'set to cancel at the period end',
  doesNotCancelAtPeriodEnd: 'not set to cancel at the period end',
  doesNotRenew: 'autoRenew off',
  renews: 'the subscription renews',
  hasPlannedChange: 'another plan is planned',
  hasOpenInvoice: 'an open invoice is paid',
  owesGrantedTerm: 'a reversed payment or an overdue change of plan is owed',
  nothingElseIsOverdue: 'nothing else is overdue',
  isRevivable:
    'ended unpaid, the payment was in time or late by up to `reviveDays`, and the client has no other subscription',
  creditCovers: "the client's credit covers the first invoice",
  creditCoversInvoices: "the client's credit covers all open invoices",
  creditEndsArrears: 'nothing is due of the invoice then, and nothing else is overdue',
  creditsAll: 'all of the invoice is credited',
  creditCoversTrial: "the client's credit covers the first invoice, and nothing is set to cancel",
  refundCancels: 'the present term is refunded in full, and `onRefund` is `cancel`',
  extendsTrial: 'a later end is given',
  hasTrialEnd: 'the same end is given',
  extendsTerm: 'a later end is given',
  endsArrears: 'an end ahead is given, and only invoices of later terms are open',
  hasTermEnd: 'the same end is given',
  switchesRenewal: 'another value is given',
};

const endText =
  'open invoices void, those of granted terms uncollectible and owed (after dunning all uncollectible), checkouts closed; a mail unless a checkout was abandoned; superseded or replaced, only for invoices that were mailed and for what became credit';

/** The texts of effects, by the names of their functions. A test compares both. */
export const effects: Readonly<Record<string, string>> = {
  beginTrial: 'the trial begins at startDate',
  awaitPayment: 'invoice issued and mailed; with a gateway, a checkout link instead of the mail',
  beginFreeTerm: 'the term begins as after a payment; its invoice is paid at once',
  beginPaidTerm:
    'invoice paid; the term begins now, at startDate, at the end of the trial that it replaces, or so much earlier as the grace that it replaces was used',
  beginTermAfterTrial: 'invoice paid; the term begins at the end of the trial',
  beginCoveredTerm: 'invoice paid; the term begins at the end of the trial',
  continueTerm: 'invoice paid; the end of the term moves by one cycle, unless its term was granted before',
  payPartOfArrears: 'invoice paid; dunning continues',
  issueTrialInvoice: 'reminder, with the invoice of the first term unless the plan is free',
  sendPaymentReminder: 'reminder, for a payment by transfer',
  issueRenewalInvoice:
    'invoice of the next term issued and mailed, with the current plan and settings; free terms are paid at once',
  sendDunningReminder: 'reminder',
  enterDunning: 'dunning begins',
  end: endText,
  endUnpaid: endText,
  pause: 'the remainder of the term is kept; checkouts closed; a mail',
  resume: 'the end of the term moves by the duration of the pause; a mail',
  resumeInArrears: 'the end of the term moves by the duration of the pause; dunning begins; a mail',
  cancelAtPeriodEnd: 'no renewal; ends with the trial or the term; a mail with the date',
  undoCancellation: 'renews as before; a mail',
  extendTrial: 'the trial, and the dates of its invoice, move to the new end; a mail',
  grantDays: 'the term, and the dates of the next invoice, move to the new end; a mail unless paused',
  setAutoRenew: 'renews, or ends with the paid term; a mail unless pending',
  changePlan:
    'the rest of the term is credited and charged at the new price; an invoice, or a credit note and credit; an open renewal invoice void, and issued anew; a mail',
  changeTrialPlan: 'the trial stays; an open invoice of the first term replaced; a mail',
  schedulePlanChange:
    'the next term is of the new plan; an open renewal invoice void, and issued anew; a mail',
  undoPlanChange:
    'the next term is of the present plan; an open renewal invoice void, and issued anew; a mail',
  beginPlannedChange: 'the plan applies that was paid before',
  enterDunningOfChange: 'dunning begins',
  reopenInvoices: 'invoice open again, its term stays granted; uncollectible if the subscription has ended',
  payDebts: 'invoice paid that was uncollectible; the end stays; a mail',
  recordUnapplied: 'waits for a decision of the seller',
  recordPartialPayment: 'the rest of the invoice is due',
  recordCredit: 'it becomes credit of the client',
  reverseParts: 'what was received, or was credit, is taken back, or waits for the seller; a mail',
  payOutCredit: 'credit is taken; a mail',
  creditInvoice:
    'a credit note; an open invoice owes less, and is paid when nothing is due; void when all of it is credited and its term was not granted; what was paid is credit; a mail',
  returnMoney: 'what was received, or was credit, is taken back; a mail',
  awaitProcessing: 'the ends wait for it, 14 days at most',
  endProcessing: 'the ends wait no longer',
  recordRefund: 'a credit note; the invoice is refunded once nothing of it is left; the term stays granted',
  refundAndEnd:
    'a credit note, invoice refunded; open invoices void, also of a change of plan within the refunded term, those of earlier granted terms uncollectible and owed; checkouts closed',
  revive:
    'invoices paid; the term begins where it would have, or now if the payment is late; an invoice that is void, or whose term moved, is cancelled and issued anew',
  ruleOutRevival: 'no payment makes it active again; its end and its invoices stay as they are',
};

/** The states and the transitions between them, for https://mermaid.js.org/syntax/stateDiagram.html. */
export function lifecycleDiagram(): string {
  const moves = namedTransitions().filter(({ from, to }) => from !== to);
  const lines = Map.groupBy(moves, ({ from, to }) => `${from === 'none' ? '[*]' : from} --> ${to}`);
  return [
    'stateDiagram-v2',
    ...[...lines].map(([move, rows]) => `  ${move}: ${rows.map(label).join(' · ')}`),
    ...['cancelled', 'expired'].map((end) => `  ${end} --> [*]`),
  ].join('\n');
}

const label = ({ event, guard }: Row) =>
  guard === undefined ? events[event] : `${events[event]} (${textOf(guard, guards)})`;

/** @throws Error when a function of the table has no text. */
function textOf(name: string, texts: Readonly<Record<string, string>>): string {
  const text = texts[name];
  if (text === undefined) throw new Error(`lib/reference/lifecycle.ts has no text of ${name}`);
  return text;
}

/** The transitions as a Markdown table: those that differ in their state alone are one row. */
export function lifecycleTable(): string {
  const rows = Map.groupBy(namedTransitions(), ({ from, to, event, guard, effect, announces }) =>
    [
      from === to ? 'the same' : to,
      events[event],
      guard === undefined ? '' : textOf(guard, guards),
      `${textOf(effect, effects)}${from === 'past_due' && to === 'active' ? '; dunning stops' : ''}`,
      announces.map((name) => `\`${name}\``).join(', '),
    ].join(' | '),
  );
  return [
    '| from | to | event | condition | effect | announces |',
    '|---|---|---|---|---|---|',
    ...[...rows].map(([row, states]) => `| ${states.map(({ from }) => from).join(', ')} | ${row} |`),
  ].join('\n');
}

function repeats(): string {
  const lines = Map.groupBy(namedRepeats(), ({ event, guard }) => {
    const condition = guard === undefined ? '' : `, if ${textOf(guard, guards)}`;
    return `${events[event]}${condition}`;
  });
  return [...lines]
    .map(([line, states]) => `- ${line}: ${states.map(({ status }) => status).join(', ')}`)
    .join('\n');
}

const begin = '<!-- from the transition table: npm run lifecycle -->';
const end = '<!-- end of what is generated -->';

/**
 * Regenerates the part of a document between its markers.
 * @throws Error when the markers are missing.
 */
export function withLifecycle(document: string): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error('The document has no place for the lifecycle');
  const generated = [
    begin,
    '',
    '```mermaid',
    lifecycleDiagram(),
    '```',
    '',
    lifecycleTable(),
    '',
    'A repeat of these events in these states returns 200 and changes nothing:',
    '',
    repeats(),
    '',
    '',
  ].join('\n');
  return document.slice(0, from) + generated + document.slice(to);
}
