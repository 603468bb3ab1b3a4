import { reasonField } from '../../console/pages/blocks.ts';
import { column, table } from '../../console/pages/table.ts';
import type { Visit } from '../../console/pages/visit.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { decidedOn, isNotable } from '../../statements/import/decision-authors.ts';
import type { BankStatement, StoredEntry } from '../../statements/import/statement.ts';
import { type Outcome, outcomes } from '../outcome.ts';
import { authorText, byItself, decisionText } from './entries.ts';
import { statementForm, versionField } from './statement-page.ts';
import { creditsOf } from './statements-page.ts';

const words: Readonly<Record<Outcome, string>> = {
  applied: 'Applied to invoices or subscriptions',
  waits: 'Recorded as unapplied payments',
  reversed: 'Reversed payments',
  skipped: 'Left out',
  duplicate: 'Recorded before',
};

/** The question before the confirmation: what will happen. */
export function confirmPage(
  visit: Visit,
  statement: BankStatement,
  entries: readonly { readonly entry: StoredEntry; readonly outcome: Outcome }[],
): Markup {
  const rows = outcomes.map((outcome) => {
    const led = entries.filter((one) => one.outcome === outcome).map(({ entry }) => entry);
    return { outcome, count: led.length, amount: creditsOf({ totals: sumsOf(led) }) };
  });
  const content = html`${versionField(statement.decisionsVersion)}<div class="row">${reasonField('reason')}
<div class="field"><button type="submit" name="action" value="confirm">Confirm the statement</button></div></div>`;
  return html`<h1>Confirm the statement?</h1>
${table(
  'Entries by outcome',
  rows,
  [
    column.text('Outcome', ({ outcome }) => words[outcome]),
    column.count('Entries', ({ count }) => count),
    column.text('Amount', ({ amount }) => amount),
  ],
  '',
)}
${notableTable(visit, statement, entries)}
<p>The payments are recorded in the background. A confirmation cannot be undone. A payment can be returned, reversed or reallocated later.</p>
${statementForm(visit, content)}
<p class="more"><a href="${visit.href(visit.path)}">Back to the entries</a></p>`;
}

/** The decisions that the person who confirms answers for, and did not make or made against a match. */
function notableTable(
  { operator }: Visit,
  statement: BankStatement,
  entries: readonly { readonly entry: StoredEntry }[],
): Markup | string {
  const rows = entries.flatMap(({ entry }) => {
    const decided = decidedOn(statement, entry.n);
    return decided !== undefined && isNotable(entry, decided, operator.keyId) ? [{ entry, decided }] : [];
  });
  if (rows.length === 0) return '';
  return table(
    'Overridden matches, and decisions of other people',
    rows,
    [
      column.text('Entry', ({ entry }) => String(entry.n)),
      column.text('Payer', ({ entry }) => entry.name ?? ''),
      column.amount('Amount', ({ entry }) => [entry.amountMinor, entry.currency]),
      column.text('Without the decision', ({ entry }) => byItself(entry)),
      column.text('Decision', ({ entry, decided }) => decisionText(entry, decided.decision)),
      column.text('Decided', ({ decided }) => authorText(decided) ?? ''),
    ],
    '',
  );
}

function sumsOf(entries: readonly StoredEntry[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { currency, amountMinor } of entries) sums[currency] = (sums[currency] ?? 0) + amountMinor;
  return sums;
}
