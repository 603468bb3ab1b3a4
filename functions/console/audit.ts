import { actionPage } from '../operator/audit/action-page.ts';
import { auditColumns } from '../operator/audit/present.ts';
import { ActionListQuery, type AuditRecordResponse } from '../operator/audit/schemas.ts';
import { actions } from '../shared/contract/audit.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { plainText } from '../shared/html/text.ts';
import { toCsv } from '../shared/lists/csv.ts';
import type { ListPage } from '../shared/lists/list-page.ts';
import { recordsOfFile } from '../shared/lists/records-of-file.ts';
import { auditRoute } from './contracts/pages.ts';
import { facts, idText } from './pages/blocks.ts';
import { fileLink, filteredPage, largestFile, periodFilters } from './pages/lists.ts';
import { recordPages } from './pages/sections.ts';
import { column, list } from './pages/table.ts';
import { type Answer, csvFile, filled, type Visit, withQuery } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

const shownActions = 50;

/** The longest former value that a page shows. The file has it whole. */
const longestValue = 200;

/** Shows what operators changed, or a file of it. The name of the file says when more actions follow. @param read the list. */
export function showAudit(_: object, visit: Visit, read = actionPage): Promise<Answer> {
  return filteredPage(visit, 'Audit', {
    schema: ActionListQuery,
    filters: [
      ...periodFilters('Made'),
      ['keyId', 'Operator key id', 'text'],
      ['objectId', 'Object id', 'text'],
      ['applicationId', 'Application id', 'text'],
      ['action', 'Action', actions],
    ],
    read: async (asked) => {
      const readMore: typeof read = (more) => read(Object.assign({}, asked, more));
      if (visit.query.format !== 'csv') return actionList(visit, await readMore({ limit: shownActions }));
      const file = { most: largestFile, start: asked.cursor };
      const { records, isWhole } = await recordsOfFile(readMore, file);
      return csvFile(isWhole ? 'audit.csv' : 'audit-part.csv', toCsv(auditColumns, records));
    },
  });
}

/** @param pages those of the kinds of records. An object of another kind is shown with its id alone. */
export function actionList(visit: Visit, page: ListPage<AuditRecordResponse>, pages = recordPages): Markup {
  const person = ({ by }: AuditRecordResponse) =>
    by.kind === 'user'
      ? 'the user'
      : html`${by.name}<br><a class="id" href="${visit.href(withQuery('/console/audit', { keyId: by.id }))}">${by.id}</a>`;
  return html`${fileLink(visit, 'actions')}
${list(
  visit,
  'Actions, newest first',
  page,
  [
    column.time('Time', ({ at }) => Date.parse(at)),
    column.block('Operator', person),
    column.text('Action', ({ action }) => action.replaceAll(/[._]/g, ' ')),
    column.block('Object', ({ object }) => objectOf(visit, object, pages)),
    column.text('Reason', ({ reason = '' }) => reason),
    column.block('Former values', changeOf),
    column.text('IP address', ({ by }) => (by.kind === 'user' ? '' : by.from)),
  ],
  page.nextCursor === undefined ? 'No matching actions.' : 'No matching actions on this page.',
)}`;
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

export const handler = consoleEndpoint(auditRoute, 'admin', showAudit);
