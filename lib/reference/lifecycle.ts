/**
 * The lifecycle of a subscription for the documentation: a diagram and a table, from the rows that the code
 * runs on.
 */
import {
  type EffectName,
  type Event,
  idempotentEvents,
  type Transition,
  transitions,
} from '../../functions/subscriptions/machine/transitions.ts';

type Guard = NonNullable<Transition['guard']>;

const events: Readonly<Record<Event, string>> = {
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
  payment_revived: 'late payment',
};

const guards: Readonly<Record<Guard, string>> = {
  trial_available: 'trial available',
  is_free: 'the plan is free',
  cancels_at_period_end: 'set to cancel at the period end',
  does_not_cancel_at_period_end: 'not set to cancel at the period end',
  does_not_renew: 'autoRenew off',
  renews: 'the subscription renews',
  has_planned_change: 'another plan is planned',
  has_open_invoice: 'an open invoice is paid',
  has_reversed_payment: 'a reversed payment is owed',
  nothing_else_is_overdue: 'nothing else is overdue',
  is_revivable:
    'ended unpaid, the payment was in time or late by up to `reviveDays`, and the client has no other subscription',
  credit_covers: "the client's credit covers the first invoice",
  is_covered: "the client's credit covers all open invoices",
  refund_cancels: 'the present term is refunded in full, and `onRefund` is `cancel`',
  is_restorable:
    'expired by the reversal alone, the term still runs, and the client has no other subscription',
  extends_trial: 'a later end is given',
  has_trial_end: 'the same end is given',
  extends_term: 'a later end is given',
  ends_arrears: 'an end ahead is given, and no reversed payment is owed',
  has_term_end: 'the same end is given',
  switches_renewal: 'another value is given',
};

const effects: Readonly<Record<EffectName, string>> = {
  begin_trial: 'the trial begins at startDate',
  await_payment: 'invoice issued and mailed; with a gateway, a checkout link instead of the mail',
  begin_free_term: 'the term begins as after a payment; its invoice is paid at once',
  begin_term:
    'invoice paid; the term begins now, at startDate, at the end of the trial that it replaces, or so much earlier as the grace that it replaces was used',
  begin_term_after_trial: 'invoice paid; the term begins at the end of the trial',
  continue_term: 'invoice paid; the end of the term moves by one cycle',
  clear_arrears: 'invoices paid; the term continues from its old end; dunning stops',
  pay_part: 'invoice paid; dunning continues',
  issue_trial_invoice: 'reminder, with the invoice of the first term unless the plan is free',
  send_payment_reminder: 'reminder, for a payment by transfer',
  issue_renewal_invoice:
    'invoice of the next term issued and mailed, with the current plan and settings; free terms are paid at once',
  send_dunning_reminder: 'reminder',
  enter_dunning: 'dunning begins',
  end: 'open invoices void (uncollectible after dunning), checkouts closed; a mail unless superseded, replaced, or a checkout that was abandoned',
  pause: 'the remainder of the term is kept; checkouts closed',
  resume: 'the end of the term moves by the duration of the pause',
  resume_in_arrears: 'the end of the term moves by the duration of the pause; dunning begins',
  cancel_at_period_end: 'no renewal; ends with the trial or the term; a mail with the date',
  undo_cancellation: 'renews as before; a mail',
  extend_trial: 'the trial, and the dates of its invoice, move to the new end; a mail',
  grant_days: 'the term, and the dates of the next invoice, move to the new end; a mail unless paused',
  end_arrears: 'the term, and the dates of the open invoices, move to the new end; dunning stops; a mail',
  set_auto_renew: 'renews, or ends with the paid term; a mail unless pending',
  change_plan:
    'the rest of the term is credited and charged at the new price; an invoice, or a credit note and credit; an open renewal invoice void, and issued anew; a mail',
  change_trial_plan: 'the trial stays; an open invoice of the first term replaced; a mail',
  schedule_plan_change:
    'the next term is of the new plan; an open renewal invoice void, and issued anew; a mail',
  undo_plan_change:
    'the next term is of the present plan; an open renewal invoice void, and issued anew; a mail',
  begin_planned_change: 'the plan applies that was paid before',
  enter_dunning_of_change: 'dunning begins',
  reopen_invoice: 'invoice open again, its term stays granted; uncollectible if the subscription has ended',
  restore_payment: 'invoice paid as before the reversal, checkout closed',
  restore_good_standing: 'invoice paid as before the reversal, checkout closed; dunning stops',
  restore_subscription: 'invoice paid as before the reversal; the rest of the term is granted again',
  record_unapplied: 'waits for a decision of the seller',
  record_partial_payment: 'the rest of the invoice is due',
  record_credit: 'it becomes credit of the client',
  reverse_parts: 'what was received, or was credit, is taken back; a mail',
  await_processing: 'the ends wait for it, 14 days at most',
  end_processing: 'the ends wait no longer',
  record_refund: 'a credit note; the invoice is refunded once nothing of it is left; the term stays granted',
  refund_and_end: 'a credit note, invoice refunded; open invoices void, checkouts closed',
  revive: 'invoices paid; the term begins where it would have, or now if the payment is late',
  rule_out_revival: 'no payment makes it active again; its end and its invoices stay as they are',
};

/** The states and the transitions between them, for https://mermaid.js.org/syntax/stateDiagram.html. */
export function lifecycleDiagram(): string {
  const moves = transitions.filter(({ from, to }) => from !== to);
  const lines = Map.groupBy(moves, ({ from, to }) => `${from === 'none' ? '[*]' : from} --> ${to}`);
  return [
    'stateDiagram-v2',
    ...[...lines].map(([move, rows]) => `  ${move}: ${rows.map(label).join(' · ')}`),
    ...['cancelled', 'expired'].map((end) => `  ${end} --> [*]`),
  ].join('\n');
}

const label = ({ event, guard }: Transition) =>
  guard === undefined ? events[event] : `${events[event]} (${guards[guard]})`;

/** Every transition as a row of a Markdown table. */
export function lifecycleTable(): string {
  const rows = transitions.map(({ event, from, to, guard, effect, announces = [] }) =>
    [
      from,
      to,
      events[event],
      guard === undefined ? '' : guards[guard],
      effects[effect],
      announces.map((name) => `\`${name}\``).join(', '),
    ].join(' | '),
  );
  return [
    '| from | to | event | condition | effect | announces |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

function repeats(): string {
  return idempotentEvents
    .map((row) => `- ${events[row.event]}, while ${row.in}${row.guard ? ` and ${guards[row.guard]}` : ''}`)
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
    'These events are idempotent. A repeat returns 200 and changes nothing:',
    '',
    repeats(),
    '',
    '',
  ].join('\n');
  return document.slice(0, from) + generated + document.slice(to);
}
