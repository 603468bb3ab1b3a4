/** The lifecycle of subscriptions as people read it: a diagram and a table, from the rows that the code runs on. */
import {
  type EffectName,
  type Event,
  type Guard,
  idempotentEvents,
  type Transition,
  transitions,
} from '../functions/subscriptions/lifecycle/transitions.ts';

const events: Readonly<Record<Event, string>> = {
  start: 'POST /subscriptions',
  payment: 'payment',
  trial_reminder: 'trial reminder due',
  trial_end: 'end of the trial',
  payment_lapse: 'no payment in time',
  renewal_invoice: 'renewal invoice due',
  term_end: 'end of the term',
  dunning_reminder: 'dunning reminder due',
  dunning_end: 'end of dunning',
  resume: 'resume, or resumesAt',
  pause: 'pause',
  cancel: 'cancel',
  cancel_at_period_end: 'cancel, atPeriodEnd',
  uncancel: 'uncancel',
  supersede: 'superseded',
  replace: 'replaced',
  payment_reversed: 'payment reversed',
  payment_unapplied: 'payment that buys nothing',
};

const guards: Readonly<Record<Guard, string>> = {
  ends_with_period: 'cancelled at the period end',
  does_not_renew: 'autoRenew off',
  has_open_invoice: 'an invoice is open',
  all_invoices_paid: 'all open invoices are paid',
  not_ending: 'not asked before',
  ending: 'asked before',
  has_reversed_payment: 'a payment was taken back meanwhile',
};

const effects: Readonly<Record<EffectName, string>> = {
  begin_trial: 'the trial begins at startDate',
  await_payment: 'invoice, and its mail; with a gateway a checkout link',
  begin_term: 'invoice paid; the term begins now, at startDate, or after the trial that it replaces',
  begin_term_after_trial: 'invoice paid; the term begins when the trial ends',
  continue_term: 'invoice paid; the term ends one cycle later',
  clear_arrears: 'invoices paid; the term goes on from its old end; dunning stops',
  pay_part: 'invoice paid; dunning goes on',
  issue_trial_invoice: 'reminder, with the invoice of the first term',
  issue_renewal_invoice: 'invoice of the next term, and its mail; plan and settings as they are now',
  send_dunning_reminder: 'reminder',
  enter_dunning: 'dunning begins',
  end: 'open invoices void (uncollectible after dunning), checkouts closed; a mail unless another took its place',
  pause: 'what is left of the term is frozen',
  resume: 'the term ends later by the time paused',
  resume_owing: 'the term ends later by the time paused; dunning begins',
  cancel_at_period_end: 'no renewal; ends with the trial or the term',
  undo_cancellation: 'goes on as before',
  reopen_invoice: 'invoice open again, its term stays given; after an end uncollectible',
  record_unapplied: 'kept on the timeline, to be given back',
};

/** The states and what leads from one to another, for https://mermaid.js.org/syntax/stateDiagram.html. */
export function lifecycleDiagram(): string {
  const moves = transitions.filter(({ from, to }) => from !== to);
  const lines = Map.groupBy(moves, ({ from, to }) => `${from === 'none' ? '[*]' : from} --> ${to}`);
  return [
    'stateDiagram-v2',
    ...[...lines].map(([move, rows]) => `  ${move}: ${rows.map(labelled).join(' · ')}`),
    ...['cancelled', 'expired'].map((end) => `  ${end} --> [*]`),
  ].join('\n');
}

const labelled = ({ event, guard }: Transition) =>
  guard === undefined ? events[event] : `${events[event]} (${guards[guard]})`;

/** Every transition as a row of Markdown. */
export function lifecycleTable(): string {
  const rows = transitions.map(({ event, from, to, guard, effect }) =>
    [from, to, events[event], guard === undefined ? '' : guards[guard], effects[effect]].join(' | '),
  );
  return [
    '| from | to | when | if | then |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** What is answered as if it had been done, and does nothing. */
function repeats(): string {
  return idempotentEvents
    .map((row) => `- ${events[row.event]} of what is ${row.in}${row.guard ? `, ${guards[row.guard]}` : ''}`)
    .join('\n');
}

const begin = '<!-- from the transition table: npm run lifecycle -->';
const end = '<!-- end of what is generated -->';

/**
 * A document with what lies between its marks made anew.
 * @throws Error when it has no marks.
 */
export function withLifecycle(document: string): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error('The document has no place for the lifecycle');
  const made = [
    ...[begin, '', '```mermaid', lifecycleDiagram(), '```', '', lifecycleTable(), ''],
    ...['Asked again, these are answered with 200 and do nothing:', '', repeats(), '', ''],
  ].join('\n');
  return document.slice(0, from) + made + document.slice(to);
}
