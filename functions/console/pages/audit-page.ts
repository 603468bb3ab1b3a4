import type { AuditRecordResponse } from '../../operator/audit/schemas.ts';
import { actions } from '../../shared/contract/audit.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { plainText } from '../../shared/html/text.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { facts, idText, pager, table, textField, time } from './blocks.ts';
import { choiceField, fileLink, filterForm } from './lists.ts';
import { filled, withQuery } from './path.ts';
import { recordPages } from './sections.ts';
import type { Visit } from './visit.ts';

/** The longest former value that a page shows. The file has it whole. */
const longestValue = 200;

/** The list, or what is wrong with the filters by their names. */
type Shown = { page: ListPage<AuditRecordResponse> } | { problems: Readonly<Record<string, string>> };

const filters = [
  ['from', 'From', 'date'],
  ['to', 'To (inclusive)', 'date'],
  ['keyId', 'Operator key id', 'text'],
  ['objectId', 'Object id', 'text'],
  ['applicationId', 'Application id', 'text'],
] as const;

const isFilter = (name: string) => filters.some(([one]) => one === name);

/** @param pages those of the kinds of records. An object of another kind is shown with its id alone. */
export function auditPage(visit: Visit, shown: Shown, pages = recordPages): Markup {
  const { query } = visit;
  const problems = 'problems' in shown ? shown.problems : {};
  const fields = filters.map(([name, label, type]) =>
    textField(name, label, { type, value: query[name] ?? '', error: problems[name] }),
  );
  return html`<h1>Audit</h1>
${filterForm(visit, [...fields, choiceField('action', 'Action', { choices: actions, value: query.action })])}
${Object.entries(problems).flatMap(([name, problem]) => (isFilter(name) ? [] : [html`<p class="alert" role="alert">${name} ${problem}</p>`]))}
${'page' in shown ? list(visit, shown.page, pages) : ''}`;
}

function list(
  visit: Visit,
  { items, nextCursor }: ListPage<AuditRecordResponse>,
  pages: typeof recordPages,
): Markup {
  const { href } = visit;
  const person = ({ by }: AuditRecordResponse) =>
    by.kind === 'user'
      ? 'the user'
      : html`${by.name}<br><a class="id" href="${href(withQuery('/console/audit', { keyId: by.id }))}">${by.id}</a>`;
  return html`${fileLink(visit, 'actions')}
${table('Actions, newest first', {
  columns: [
    { title: 'Time', cell: ({ at }) => time(Date.parse(at)) },
    { title: 'Operator', cell: person },
    { title: 'IP address', cell: ({ by }) => (by.kind === 'user' ? '' : by.from) },
    { title: 'Action', cell: ({ action }) => action.replaceAll(/[._]/g, ' ') },
    { title: 'Object', cell: ({ object }) => objectOf(visit, object, pages) },
    { title: 'Reason', cell: ({ reason = '' }) => reason },
    { title: 'Former values', cell: changeOf },
  ],
  rows: items,
  empty: nextCursor === undefined ? 'No matching actions.' : 'No matching actions on this page.',
})}
${pager(visit, nextCursor)}`;
}

function objectOf(
  { href }: Visit,
  { kind, ...ids }: AuditRecordResponse['object'],
  pages: typeof recordPages,
) {
  const { id, applicationId } = ids;
  const [, path] = Object.entries(pages).find(([one]) => one === kind) ?? [];
  const names = [...(path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const isLinked = path !== undefined && names.every((name) => name in ids);
  const own = idText(id);
  return html`${isLinked ? html`<a href="${href(filled(path, ids))}">${own}</a>` : own}${applicationId === undefined || applicationId === id ? '' : html`<br>of ${idText(applicationId)}`}`;
}

/** The former values, and the other facts that the record has. */
function changeOf({ before = {}, reset, grant, key, operatorKey }: AuditRecordResponse): Markup | string {
  const ended = Object.entries(reset ?? {}).flatMap(([name, isEnded]) => (isEnded ? [name] : []));
  const values: (readonly [string, string | undefined])[] = [
    ...Object.entries(before).map(([name, value]) => [name, textOf(value)] as const),
    ['ended', ended.length === 0 ? undefined : ended.join(', ')],
    ['grant', grant && `${grant.id} of ${grant.applicationId}`],
    ['key', key && `${key.kind} ${key.id}`],
    ['operator key', operatorKey && `${operatorKey.name}: ${operatorKey.scopes.join(', ')}`],
  ];
  return values.every(([, value]) => value === undefined) ? '' : facts(values);
}

function textOf(value: unknown): string {
  if (value === null) return 'none';
  return plainText(typeof value === 'string' ? value : JSON.stringify(value), longestValue);
}
