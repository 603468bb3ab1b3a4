import { findRecords } from '../operator/search/find-records.ts';
import type { SearchHit } from '../operator/search/schemas.ts';
import type { Input } from '../shared/contract/route.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { shownAddresses } from '../shared/html/text.ts';
import { isId } from '../shared/runtime/ids.ts';
import { searchRoute } from './contracts/pages.ts';
import { textField } from './pages/blocks.ts';
import { kindNames, recordPages } from './pages/sections.ts';
import { column, list } from './pages/table.ts';
import { type Answer, filled, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Shows the records that a text names, with links to those that have a page. */
export async function searchConsole({ query }: Input<typeof searchRoute>, visit: Visit): Promise<Answer> {
  const { q: text, application: applicationId } = query;
  if (applicationId !== undefined && !isId('app', applicationId))
    return show('Search', searchPage(visit, 'not an application'), { status: 400 });
  const hits =
    text === undefined
      ? 'not sought'
      : await findRecords({ text, applicationId, nowMs: visit.nowMs }, visit.scopes);
  return show('Search', searchPage(visit, hits));
}

/** The result of a search. */
type Hits = readonly SearchHit[] | 'not sought' | 'not an application';

/** @param pages those of the kinds of records. A record of another kind is shown with its id alone. */
export function searchPage(visit: Visit, hits: Hits, pages = recordPages): Markup {
  const { q = '', application = '' } = visit.query;
  const error =
    hits === 'not an application' ? 'Enter the id of an application, which begins with app_.' : undefined;
  return html`<h1>Search</h1>
<form method="get" action="${visit.href('/console/search')}"><div class="row">
${textField('q', 'Id, number, address or name of a client', { value: q, maxLength: 254 })}
${textField('application', 'Application', { value: application, error })}
<div class="field"><button type="submit">Search</button></div></div></form>
<p class="note">A record is found by the whole text, and a client of an application also by the first letters of the words of their name. Clients, payments, bank statements, plans and webhooks are found within an application alone.</p>
${typeof hits === 'string' ? '' : hitList(visit, hits, pages)}`;
}

function hitList(visit: Visit, hits: readonly SearchHit[], pages: typeof recordPages): Markup {
  const title = (hit: SearchHit) => {
    const page = pages[hit.kind];
    const text = shownAddresses(hit.title);
    return page === undefined ? text : html`<a href="${visit.href(filled(page, hit))}">${text}</a>`;
  };
  return list(
    visit,
    'Records',
    { items: [...hits] },
    [
      column.block('Record', title),
      column.text('Kind', ({ kind }) => kindNames[kind]),
      column.text('Summary', ({ summary }) => summary),
      column.id('Id', ({ id }) => id),
    ],
    'No results. Records outside the scopes of your key are not searched.',
  );
}

export const handler = consoleEndpoint(searchRoute, 'any', searchConsole);
