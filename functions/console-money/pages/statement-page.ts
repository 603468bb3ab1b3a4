import {
  actionForm,
  badge,
  facts,
  hiddenField,
  idText,
  moment,
  reasonField,
  section,
} from '../../console/pages/blocks.ts';
import { list } from '../../console/pages/table.ts';
import { filled, type Visit, withQuery } from '../../console/pages/visit.ts';
import type { Application } from '../../shared/accounts/applications.ts';
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { isoDay } from '../../shared/runtime/time-zone.ts';
import type { EntryWithResult } from '../../statements/import/entry-page.ts';
import { type BankStatement, doneCount, entryCount, matchKinds } from '../../statements/import/statement.ts';
import { applicationPath } from '../routes.ts';
import { entryColumns } from './entries.ts';
import { creditsOf, statusText } from './statements-page.ts';

/** A page of the entries of a statement. */
type Entries = ListPage<EntryWithResult>;

/** A statement with some of its entries: with the decisions until it is confirmed, and with the results after it. */
export function statementPage(
  visit: Visit,
  { settings }: Pick<Application, 'settings'>,
  statement: BankStatement,
  entries: Entries,
): Markup {
  const { statementId, format, withdrawals, notBooked, rejected = [], createdAtMs } = statement;
  return html`<h1>Bank statement</h1>
${facts([
  ['Id', idText(statementId)],
  ['Status', badge(statusText(statement))],
  ['Format', format],
  ['Created', moment(createdAtMs)],
  ['Entries', String(entryCount(statement))],
  ['Credits', creditsOf(statement)],
  ['Left out', `${withdrawals} withdrawals or amounts of zero, ${notBooked} not booked`],
  ['Impossible dates', rejected.length === 0 ? undefined : rejected.map(({ entry }) => entry).join(', ')],
])}
${progressOf(visit, statement)}
${section(
  'entries',
  'Entries',
  html`${filters(visit, statement)}
${statement.status === 'ready' ? decisionForm(visit, statement, entries) : entryList(visit, statement, entries)}`,
)}
${linksOf(visit, isoDay(visit.nowMs, settings.timeZone), statement)}`;
}

function progressOf(visit: Visit, statement: BankStatement): Markup | string {
  const { status, results, decisionsVersion } = statement;
  if (status === 'ready') return '';
  const done = doneCount(statement);
  const all = entryCount(statement);
  const counted = Object.entries(results).filter(([, count]) => count > 0);
  const words = counted.map(([result, count]) => `${count} ${result}`).join(', ');
  const summary = html`<p><progress aria-labelledby="progress" max="${String(Math.max(1, all))}" value="${String(done)}"></progress> ${String(done)} of ${String(all)}${words === '' ? '' : `: ${words}`}</p>`;
  if (status === 'imported') return section('progress', 'Progress', summary);
  const again = html`${versionField(decisionsVersion)}<div class="row">${reasonField('again-reason')}<div class="field"><button type="submit" class="second" name="action" value="confirm">Continue the import</button></div></div>`;
  return section(
    'progress',
    'Progress',
    html`${summary}<p>The page reloads every few seconds. <a href="${visit.href(visit.path)}">Reload now</a></p>
<details><summary>The import does not progress</summary>${statementForm(visit, again)}</details>`,
  );
}

/** The matches as links, each with its number of entries. */
function filters({ href, path, query }: Visit, statement: BankStatement): Markup {
  const link = (match: string | undefined, count: number) =>
    html`<li><a href="${href(withQuery(path, { match }))}"${match === query.match ? raw(' aria-current="page"') : ''}>${match ?? 'all'} ${String(count)}</a></li>`;
  const links = matchKinds.map((kind) => link(kind, statement.matches[kind] ?? 0));
  return html`<nav aria-label="Match"><ul>${link(undefined, entryCount(statement))}${links}</ul></nav>`;
}

const entryList = (visit: Visit, statement: BankStatement, entries: Entries): Markup =>
  list(visit, 'Entries by value date', entries, entryColumns(statement), 'No entries with this match.');

/** The decisions about the entries of the page. They are kept until the statement is confirmed. */
function decisionForm(visit: Visit, statement: BankStatement, entries: Entries): Markup {
  const { match } = visit.query;
  const { nextCursor } = entries;
  const next = html`<button type="submit" class="second" name="action" value="keep">${nextCursor === undefined ? 'Save' : 'Save, next page'}</button>`;
  const content = html`${versionField(statement.decisionsVersion)}${match === undefined ? '' : hiddenField('match', match)}${nextCursor === undefined ? '' : hiddenField('next', nextCursor)}
${entryList(visit, statement, entries)}
<div class="actions">${next}<button type="submit" name="action" value="review">Save, then confirm</button></div>`;
  const decided = Object.keys(statement.decisions).length;
  return html`<p>${String(decided)} decisions are kept. A suggestion of exactly the amount is preset, and becomes your decision when you save. Entries of all pages are confirmed together.</p>${statementForm(visit, content)}`;
}

/** A form of a statement, whose fields have the numbers of its entries. */
export const statementForm = (visit: Visit, content: Markup): Markup =>
  actionForm(visit, visit.path, content, 'multipart/form-data');

/** The number of changes of the decisions, for a form that counts with no other one. */
export const versionField = (version: number): Markup => hiddenField('version', version);

function linksOf({ href }: Visit, today: string, { applicationId, results }: BankStatement): Markup {
  const money = filled(applicationPath, { applicationId });
  const journal = withQuery(money, { file: 'journal', from: today, to: today });
  const waits = results.unapplied ?? 0;
  return html`<p class="more"><a href="${href(money)}">${waits === 0 ? 'Money of the application' : `Apply unapplied payments: ${waits} of this statement`}</a>
<a href="${href(journal)}">Download the journal of today (CSV)</a></p>`;
}

/** A form that changed nothing. */
export function statementRefusal(
  { href, path }: Pick<Visit, 'href' | 'path'>,
  problems: readonly string[],
): Markup {
  return html`<h1>Nothing was changed</h1><div role="alert">${problems.map((problem) => html`<p>${problem}</p>`)}</div>
<p><a href="${href(path)}">Back to the statement</a></p>`;
}
