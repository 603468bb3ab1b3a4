/** A decision as one line of text: everything that it changes, without what follows from the rest. */

import type { Invoice, PlanSnapshot } from '../../../../../functions/invoices/invoice.ts';
import type { Entry } from '../../../../../functions/ledger/entry.ts';
import { dayMs, hourMs, minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import type { Change, Decision } from '../../../../../functions/subscriptions/machine/decide.ts';
import type { TransitionContext } from '../../../../../functions/subscriptions/machine/event.ts';
import { eventOfUpdate } from '../../../../../functions/subscriptions/machine/invoice-changes.ts';
import type { OutboxEntry } from '../../../../../functions/subscriptions/record/outbox-entry.ts';
import type {
  Subscription,
  UnstartedSubscription,
} from '../../../../../functions/subscriptions/record/subscription.ts';
import { type ContextFields, sampleNowMs } from '../../../../support/subscriptions/state-samples.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A time from the time of the samples: `+20d`, `-1d3h`, `now`. */
function timeOf(atMs: number): string {
  let restMs = Math.abs(atMs - sampleNowMs);
  const parts = (
    [
      ['d', dayMs],
      ['h', hourMs],
      ['m', minuteMs],
      ['ms', 1],
    ] as const
  ).map(([unit, lengthMs]) => {
    const count = Math.floor(restMs / lengthMs);
    restMs -= count * lengthMs;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return atMs === sampleNowMs ? 'now' : `${atMs < sampleNowMs ? '-' : '+'}${parts.join('')}`;
}

const isPlan = (value: object): value is PlanSnapshot => 'planId' in value && 'billingCycle' in value;

const planText = ({ planId: _, name, priceMinor, currency, billingCycle, quantity, ...rest }: PlanSnapshot) =>
  `${name} ${priceMinor} ${currency} ${billingCycle}${quantity === undefined ? '' : ` x${quantity}`}${
    Object.keys(rest).length === 0 ? '' : ` ${text(rest)}`
  }`;

/** A value in few characters. Fields that end in `Ms` are times, but for lengths of time. */
function text(value: unknown, name = ''): string {
  if (value === undefined) return '-';
  if (typeof value === 'number' && name.endsWith('Ms') && value > dayMs * 400) return timeOf(value);
  if (Array.isArray(value)) return `[${value.map((one) => text(one, name)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (isPlan(value)) return planText(value);
  return `{${fieldTexts(Object.entries(value)).join(', ')}}`;
}

const fieldTexts = (entries: readonly (readonly [string, unknown])[]) =>
  entries.map(([name, value]) => `${name.replace(/(Ms|Minor)$/, '')} ${text(value, name)}`);

/** The fields that are not as expected, those that are missing included. */
function others(record: object, expected: object): string[] {
  const actual = record as Fields;
  const usual = expected as Fields;
  const names = [...new Set([...Object.keys(usual), ...Object.keys(actual)])];
  return fieldTexts(
    names
      .filter((name) => JSON.stringify(actual[name]) !== JSON.stringify(usual[name]))
      .map((name) => [name, actual[name]] as const),
  );
}

const idsOf = ({ applicationId, externalId, subscriptionId }: Subscription) => ({
  applicationId,
  externalId,
  subscriptionId,
});

function issuedText(invoice: Invoice, { next }: Change, { client, nowMs }: TransitionContext): string {
  const { n, status } = invoice;
  const { plan, totalMinor, currency } = invoice;
  const usual = {
    ...idsOf(next),
    invoiceId: 'inv_new',
    n,
    number: `INV-${next.referenceNumber.slice(4)}-${n}`,
    status,
    totalMinor,
    currency,
    seller: { name: 'Example App' },
    customer: { email: client.email, name: client.name },
    paymentReference: next.referenceNumber,
    gateway: next.gateway,
    issuedAtMs: nowMs,
    plan,
    lines: [{ description: plan.name, quantity: plan.quantity ?? 1, amountMinor: totalMinor }],
    eventCount: status === 'paid' ? 2 : 1,
  };
  const rest = others(invoice, usual).join(', ');
  return `issues invoice ${n} ${status} of ${totalMinor} ${currency} for ${planText(plan)}: ${rest}`;
}

function entryText(
  entry: OutboxEntry,
  { next }: Change,
  { client, nowMs }: TransitionContext,
  i: number,
): string {
  const state = { leasedUntilMs: 0, attempts: 0, possibleCopies: 0 };
  const { revision } = next;
  const usual = {
    entryId: entry.entryId,
    ...idsOf(next),
    createdAtMs: nowMs,
    revision,
    position: i,
    ...state,
  };
  if (entry.kind === 'close_checkout')
    return `closes the checkout ${others(entry, { ...usual, kind: entry.kind }).join(', ')} (${entry.entryId})`;
  const { template, entryId, facts, kind } = entry;
  const { plan, referenceNumber, trialEndMs, termStartMs, termEndMs } = next;
  const { name: planName, priceMinor, currency, billingCycle } = plan;
  const sold = { planName, priceMinor, currency, billingCycle };
  const about = { seller: 'Example App', referenceNumber, customerName: client.name };
  const factTexts = others(facts, { ...sold, ...about, trialEndMs, termStartMs, termEndMs });
  const rest = others(entry, { ...usual, kind, template, to: client.email, facts });
  return `mails ${entryId}${entryId.startsWith(template) ? '' : ` as ${template}`} (${[...rest, ...factTexts].join(', ')})`;
}

/** An entry of the ledger: `payment of pay_1 in EUR: bank 999, invoice 1 -999`. */
function bookedText({ kind, currency, paymentId, postings }: Entry): string {
  const accounts = postings.map(
    (posting) =>
      `${posting.account === 'receivable' ? `invoice ${posting.n}` : posting.account} ${posting.amountMinor}`,
  );
  return `books ${kind}${paymentId === undefined ? '' : ` of ${paymentId}`} in ${currency}: ${accounts.join(', ')}`;
}

/** A field of the subscription that says more as a sentence of its own, or follows from the rest. */
const omitted = ['status', 'revision', 'updatedAtMs', 'timerVersion', 'timer', 'eventCount', 'movements'];

/** The parts of a change, in the order in which they are written. */
function changeText(
  previous: Subscription | UnstartedSubscription,
  change: Change,
  context: TransitionContext,
): string {
  const { next, issued, updated, creditNotes, books, outbox, recalled, announced, entry } = change;
  const hidden = (record: object) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !omitted.includes(name)));
  const { payment, reason, unapplied }: ContextFields = context;
  const usualEntry = {
    revision: next.revision,
    event: context.event,
    atMs: context.atMs,
    by: context.by,
    to: next.status,
    from: previous.status === 'none' ? undefined : previous.status,
    payment,
    reason,
    unapplied,
  };
  const fields = others(hidden(next), hidden(previous)).join(', ');
  const { movements = [] } = next;
  const isMoved = JSON.stringify(movements) !== JSON.stringify(previous.movements ?? []);
  return [
    next.status,
    fields,
    ...issued.map((invoice) => issuedText(invoice, change, context)),
    ...updated.map(
      ({ n, ...rest }) => `invoice ${n} ${text(rest)} tells ${eventOfUpdate(context.event, rest)}`,
    ),
    ...creditNotes.map(
      ({
        n,
        number,
        totalMinor,
        currency,
        reason,
        creditNoteId,
        invoiceId,
        invoiceN,
        invoiceNumber,
        issuedAtMs,
        ...rest
      }) =>
        [
          `credit note ${n} ${number} ${creditNoteId} of ${totalMinor} ${currency} for ${reason}, on ${invoiceN} ${invoiceNumber} ${invoiceId} ${timeOf(issuedAtMs)}`,
          ...others(rest, idsOf(next)),
        ].join(', '),
    ),
    ...books.map(bookedText),
    ...recalled.map((id) => `takes back ${id}`),
    ...outbox.map((one, i) => entryText(one, change, context, i)),
    announced.length > 0 ? `tells ${announced.join(' and ')}` : '',
    isMoved ? `revenue ${text(movements.at(-1))}, movement ${movements.length}` : '',
    others(entry, usualEntry)
      .map((one) => `timeline ${one}`)
      .join(', '),
    next.timer === undefined ? 'nothing is due' : `${next.timer.step} ${timeOf(next.timer.dueAtMs)}`,
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** A decision as a line. */
export function decisionText(
  subscription: Subscription | UnstartedSubscription,
  decision: Decision,
  context: TransitionContext,
): string {
  return decision.kind === 'changed' ? changeText(subscription, decision.change, context) : decision.kind;
}
