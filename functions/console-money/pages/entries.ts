/** The entries of a statement as rows: with what each is for, and the decision about it or its result. */
import { badge, choiceField, textField } from '../../console/pages/blocks.ts';
import { column } from '../../console/pages/table.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { formatDate } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { utc } from '../../shared/runtime/time-zone.ts';
import { type Decided, decidedOn } from '../../statements/import/decision-authors.ts';
import type { EntryWithResult } from '../../statements/import/entry-page.ts';
import {
  type BankStatement,
  type Candidate,
  type Decision,
  entryCandidates,
  isReversal,
  reversedId,
  type StoredEntry,
} from '../../statements/import/statement.ts';
import { choiceOf, idOf } from '../decisions.ts';
import { candidateText, differenceText, exactCandidate, joined } from './candidates.ts';

export const entryColumns = (statement: BankStatement) => [
  column.count<EntryWithResult>('Entry', ({ entry }) => entry.n),
  column.text<EntryWithResult>('Payer', ({ entry: { name, iban } }) =>
    [name, iban].filter((text) => text !== undefined).join(', '),
  ),
  column.day<EntryWithResult>('Value date', ({ entry }) => entry.valueAtMs),
  column.amount<EntryWithResult>('Amount', ({ entry }) => [entry.amountMinor, entry.currency]),
  column.text<EntryWithResult>('Text', ({ entry }) => entry.text),
  ...(statement.status === 'ready' ? choiceColumns(statement) : resultColumns(statement)),
];

const choiceColumns = (statement: BankStatement) => [
  column.status<EntryWithResult>('Match', ({ entry }) => entry.match),
  column.block<EntryWithResult>('Decision', ({ entry }) => {
    const decided = decidedOn(statement, entry.n);
    return html`${decisionFields(entry, decided?.decision)}${noteOf(entry, decided)}`;
  }),
];

const resultColumns = (statement: BankStatement) => [
  column.block<EntryWithResult>(
    'Match',
    ({ entry }) =>
      html`${badge(entry.match)}${candidateTexts(entry).map(([, text]) => html`<p>${text}</p>`)}`,
  ),
  column.block<EntryWithResult>(
    'Result',
    ({ entry, result }) => html`${badge(resultOf(result))}${noteOf(entry, decidedOn(statement, entry.n))}`,
  ),
];

/** A decision that was made, and by whom. */
const noteOf = (entry: StoredEntry, decided: Decided | undefined): Markup | string =>
  decided === undefined
    ? ''
    : html`<p>${joined(`Decided: ${decisionText(entry, decided.decision)}`, authorText(decided))}</p>`;

/** The person who made a decision in the console. */
export function authorText({ by }: Decided): string | undefined {
  return by && `by ${by.name}`;
}

/** A decision, with what is known of the record that it names. */
export function decisionText(entry: StoredEntry, decision: Decision): string {
  if ('skip' in decision) return leaveOut;
  if ('asMatched' in decision) return byItself(entry);
  if ('unapplied' in decision) return leaveUnapplied;
  if ('invoices' in decision) return `Divide it between ${decision.invoices.length} invoices`;
  const chosen = choiceOf(decision);
  const [, known] = [...proposed(entry), ...candidateTexts(entry)].find(([value]) => value === chosen) ?? [];
  return known ?? idOf(chosen);
}

function resultOf(result: EntryWithResult['result']): string {
  if (result === undefined) return 'not yet';
  const { result: kind, error } = result;
  return error === undefined ? kind : `${kind}: ${error.replaceAll('_', ' ')}`;
}

type Choice = readonly [value: string, text: string];

/** The fields of an entry: a choice, and the id of a record that it does not have. */
function decisionFields(entry: StoredEntry, decision: Decision | undefined): string | Markup {
  const { n, match } = entry;
  if (match === 'duplicate') return 'Recorded before';
  const preset = presetOf(entry);
  const choices = choicesOf(entry, preset);
  const chosen = choiceOf(decision);
  const isProposed = choices.some(([value]) => value === chosen);
  const [name, label] = isReversal(entry)
    ? [`payment-${n}`, 'Another payment id']
    : [`other-${n}`, 'Another invoice or subscription id'];
  const choice = { choices, value: isProposed ? chosen : preset, isLegendUnseen: true };
  return html`${choiceField(`choice-${n}`, `Decision about entry ${n}`, choice)}${textField(name, `${label}, in place of these`, { maxLength: 128, value: isProposed ? '' : idOf(chosen) })}`;
}

const leaveOut = 'Leave out';
const leaveUnapplied = 'Record as an unapplied payment';

/** The value of the choice without a decision: of a suggestion, the candidate that has exactly its amount. */
function presetOf(entry: StoredEntry): string {
  const exact = entry.match === 'suggested' ? exactCandidate(entry.candidates, entry) : undefined;
  return exact === undefined ? '' : candidateValue(exact);
}

function choicesOf(entry: StoredEntry, preset: string): readonly Choice[] {
  // A choice without a value is no decision: the entry is recorded as it is by itself.
  const own: readonly Choice[] = preset === '' ? [['', byItself(entry)]] : [];
  const canDiffer = preset !== '' || entry.match === 'matched';
  const unapplied: readonly Choice[] = canDiffer ? [['unapplied', leaveUnapplied]] : [];
  return [...own, ...proposed(entry), ...unapplied, ['skip', leaveOut]];
}

/** Without a decision. */
export function byItself(entry: StoredEntry): string {
  if ('split' in entry) return `Divide it between ${entry.split.length} invoices`;
  if (entry.match === 'matched') return `Apply the match: ${candidateTexts(entry)[0]?.[1] ?? ''}`;
  if (entry.match !== 'reversal') return leaveUnapplied;
  return reversedId(entry) === undefined ? 'Record nothing' : `Reverse the payment ${reversedId(entry)}`;
}

/** The records that a person can choose. The one of a match is chosen without a decision. */
function proposed(entry: StoredEntry): readonly Choice[] {
  const { currency } = entry;
  if ('payments' in entry)
    return entry.payments.map(({ paymentId, amountMinor, valueAtMs, name }) => [
      `paymentId:${paymentId}`,
      joined(formatAmount(amountMinor, currency), formatDate(valueAtMs, utc), name, paymentId),
    ]);
  return entry.match === 'matched' && !('split' in entry) ? [] : candidateTexts(entry);
}

function candidateTexts(entry: StoredEntry): readonly Choice[] {
  return entryCandidates(entry).map((one) => {
    const difference = 'split' in entry ? undefined : differenceText(entry, one);
    return [candidateValue(one), joined(candidateText(one, entry), difference)];
  });
}

const candidateValue = ({ invoiceId, subscriptionId }: Candidate): string =>
  invoiceId === undefined ? `subscriptionId:${subscriptionId}` : `invoiceId:${invoiceId}`;
