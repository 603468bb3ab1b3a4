import { reasonField } from '../console/pages/blocks.ts';
import { column, table } from '../console/pages/table.ts';
import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { decidedOn, isNotable } from '../statements/import/decision-authors.ts';
import { entryPage } from '../statements/import/entry-page.ts';
import { type BankStatement, decisionOf, type StoredEntry } from '../statements/import/statement.ts';
import { statementStore } from '../statements/import/store.ts';
import { withInvoiceNumbers } from '../statements/import/waiting.ts';
import { applicationCrumb } from './crumbs.ts';
import { type Outcome, outcomeOf, outcomes } from './outcome.ts';
import { authorText, byItself, decisionText } from './pages/entries.ts';
import { statementForm, statementPage, versionField } from './pages/statement-page.ts';
import { creditsOf } from './pages/statements-page.ts';
import { statementShowRoute } from './routes.ts';

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

const shownEntries = 25;

/** While an import works. */
const refreshSeconds = 5;

/** Shows a statement with a page of its entries, or the question before its confirmation. */
export async function showStatement(
  {
    params: { applicationId, statementId },
    query: { match, cursor, view },
  }: Input<typeof statementShowRoute>,
  visit: Visit,
): Promise<Answer> {
  const [application, statement] = await Promise.all([
    getApplication(applicationId),
    statementStore.get(applicationId, statementId, visit.nowMs),
  ]);
  if (application === undefined || statement === undefined) throw new ApiError('not_found');
  const { status, decisions } = statement;
  const crumbs = applicationCrumb(application);
  if (view === 'confirm' && status === 'ready') {
    const parts = statement.partSizes.map((_, i) => statementStore.part(statement, i + 1));
    const entries = (await Promise.all(parts)).flatMap((part) => part.entries);
    const decided = entries.filter(({ n }) => decisions[n] !== undefined);
    const numbered = new Map(
      (await withInvoiceNumbers(applicationId, decided)).map((entry) => [entry.n, entry]),
    );
    const known = entries.map((entry) => numbered.get(entry.n) ?? entry);
    const led = known.map((entry) => ({ entry, outcome: outcomeOf(entry, decisionOf(entry, statement)) }));
    return show('Confirm a bank statement', confirmPage(visit, statement, led), { crumbs });
  }
  const { items, ...rest } = await entryPage(statement, { match, limit: shownEntries, cursor });
  const numbered = await withInvoiceNumbers(
    applicationId,
    items.map(({ entry }) => entry),
  );
  const entries = {
    ...rest,
    items: items.map((item, i) => ({ ...item, entry: numbered[i] ?? item.entry })),
  };
  const more = status === 'importing' ? { refreshSeconds } : {};
  const content = statementPage(visit, application, statement, entries);
  return show('Bank statement', content, Object.assign({ crumbs }, more));
}

export const handler = consoleEndpoint(statementShowRoute, 'finance', showStatement);
