/** The entries of a statement as rows: with what each is for, and the decision about it or its result. */
import { type Column, textField } from '../../console/pages/blocks.ts';
import { escaped, html, type Markup, raw } from '../../shared/html/markup.ts';
import { formatDate } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { utc } from '../../shared/runtime/time-zone.ts';
import { type Decided, decidedOn } from '../../statements/import/decision-authors.ts';
import type { EntryWithResult } from '../../statements/import/entry-page.ts';
import {
  type BankStatement,
  type Decision,
  entryCandidates,
  isReversal,
  reversedId,
  type StoredEntry,
} from '../../statements/import/statement.ts';
import { choiceOf, idOf } from '../decisions.ts';

export const entryColumns = (statement: BankStatement): readonly Column<EntryWithResult>[] => [
  { title: 'Entry', cell: ({ entry }) => String(entry.n) },
  { title: 'Value date', cell: ({ entry }) => formatDate(entry.valueAtMs, utc) },
  { title: 'Amount', cell: ({ entry }) => formatAmount(entry.amountMinor, entry.currency) },
  {
    title: 'Payer',
    cell: ({ entry: { name, iban } }) => [name, iban].filter((text) => text !== undefined).join(', '),
  },
  { title: 'Text', cell: ({ entry }) => entry.text },
  { title: 'Match', cell: ({ entry }) => html`${entry.match}${matchLines(entry)}` },
  statement.status === 'ready'
    ? {
        title: 'Decision',
        cell: ({ entry }) => {
          const decided = decidedOn(statement, entry.n);
          return html`${decisionFields(entry, decided?.decision)}${noteOf(entry, decided)}`;
        },
      }
    : {
        title: 'Result',
        cell: ({ entry, result }) => html`${resultOf(result)}${noteOf(entry, decidedOn(statement, entry.n))}`,
      },
];

/** The candidates in full: a select cuts its texts. */
const matchLines = (entry: StoredEntry): Markup[] =>
  entryCandidates(entry).map((one, i) => {
    const text = candidateTexts(entry)[i]?.text;
    return html`<p>${joined(text, 'split' in entry ? undefined : differenceText(entry, one.dueMinor))}</p>`;
  });

/** The difference between an entry and what is due of its candidate. */
function differenceText({ amountMinor, currency }: StoredEntry, dueMinor: number): string | undefined {
  if (amountMinor === dueMinor) return undefined;
  return amountMinor < dueMinor
    ? `partial: ${formatAmount(dueMinor - amountMinor, currency)} stays due`
    : `${formatAmount(amountMinor - dueMinor, currency)} more than due`;
}

/** A decision that was made, and by whom. */
const noteOf = (entry: StoredEntry, decided: Decided | undefined): Markup | string =>
  decided === undefined
    ? ''
    : html`<p>${joined(`Decided: ${decisionText(entry, decided.decision)}`, authorText(decided))}</p>`;

/** The person who made a decision in the console. */
export function authorText({ by }: Decided): string | undefined {
  if (by === undefined) return undefined;
  return by === 'unknown' ? 'by a person who was not recorded' : `by ${by.name}`;
}

/** A decision, with what is known of the record that it names. */
export function decisionText(entry: StoredEntry, decision: Decision): string {
  if ('skip' in decision) return skip.text;
  if ('invoices' in decision) return `Divide it between ${decision.invoices.length} invoices`;
  const chosen = choiceOf(decision);
  const known = [...proposed(entry), ...candidateTexts(entry)].find(({ value }) => value === chosen);
  return known?.text ?? idOf(chosen);
}

function resultOf(result: EntryWithResult['result']): string {
  if (result === undefined) return 'not yet';
  const { result: kind, error } = result;
  return error === undefined ? kind : `${kind}: ${error.replaceAll('_', ' ')}`;
}

interface Choice {
  readonly value: string;
  readonly text: string;
}

/** The fields of an entry: a choice, and the id of a record that it does not have. */
function decisionFields(entry: StoredEntry, decision: Decision | undefined): string | Markup {
  const { n, match } = entry;
  if (match === 'duplicate') return 'Recorded before';
  const chosen = choiceOf(decision);
  const choices = [{ value: '', text: byItself(entry) }, ...proposed(entry), skip];
  const isProposed = choices.some(({ value }) => value === chosen);
  const options = choices.map(
    ({ value, text }) =>
      html`<option value="${escaped(value)}"${value === chosen ? raw(' selected') : ''}>${text}</option>`,
  );
  const [name, label] = isReversal(entry)
    ? [`payment-${n}`, 'Another payment id']
    : [`other-${n}`, 'Another invoice or subscription id'];
  return html`<div class="field"><select id="choice-${String(n)}" name="choice-${String(n)}" aria-label="Decision about entry ${String(n)}">${options}</select></div>${textField(name, label, { maxLength: 128, value: isProposed ? '' : idOf(chosen) })}`;
}

const skip: Choice = { value: 'skip', text: 'Leave out' };

/** Without a decision. */
export function byItself(entry: StoredEntry): string {
  if ('split' in entry) return `Divide it between ${entry.split.length} invoices`;
  if (entry.match === 'matched') return `Apply the match: ${candidateTexts(entry)[0]?.text ?? ''}`;
  if (entry.match !== 'reversal') return 'Record as an unapplied payment';
  return reversedId(entry) === undefined ? 'Record nothing' : `Reverse the payment ${reversedId(entry)}`;
}

/** The records that a person can choose. The one of a match is chosen without a decision. */
function proposed(entry: StoredEntry): readonly Choice[] {
  const { currency } = entry;
  if ('payments' in entry)
    return entry.payments.map(({ paymentId, amountMinor, valueAtMs, name }) => ({
      value: `paymentId:${paymentId}`,
      text: joined(formatAmount(amountMinor, currency), formatDate(valueAtMs, utc), name, paymentId),
    }));
  return entry.match === 'matched' && !('split' in entry) ? [] : candidateTexts(entry);
}

function candidateTexts(entry: StoredEntry): readonly Choice[] {
  return entryCandidates(entry).map((one) => {
    const { subscriptionId, externalId, invoiceId, invoiceNumber, referenceNumber, clientName, dueMinor } =
      one;
    const record = invoiceNumber ?? invoiceId ?? referenceNumber ?? subscriptionId;
    return {
      value: invoiceId === undefined ? `subscriptionId:${subscriptionId}` : `invoiceId:${invoiceId}`,
      text: joined(record, `${formatAmount(dueMinor, entry.currency)} due`, clientName, externalId),
    };
  });
}

const joined = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined).join(', ');
