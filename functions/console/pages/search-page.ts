import type { SearchHit } from '../../operator/search/schemas.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { shownAddresses } from '../../shared/html/text.ts';
import { idText, table, textField } from './blocks.ts';
import { filled } from './path.ts';
import { kindNames, recordPages } from './sections.ts';
import type { Visit } from './visit.ts';

/** The result of a search. */
type Hits = readonly SearchHit[] | 'not sought' | 'not an application';

/** @param pages those of the kinds of records. A record of another kind is shown with its id alone. */
export function searchPage(visit: Visit, hits: Hits, pages = recordPages): Markup {
  const { q = '', application = '' } = visit.query;
  const error =
    hits === 'not an application' ? 'Enter the id of an application, which begins with app_.' : undefined;
  return html`<h1>Search</h1>
<form method="get" action="${visit.href('/console/search')}"><div class="row">
${textField('q', 'Id, number or address', { value: q, maxLength: 254 })}
${textField('application', 'Application', { value: application, error })}
<div class="field"><button type="submit">Search</button></div></div></form>
<p class="note">A record is found by the whole text. Clients, payments, bank statements, plans and webhooks are found within an application alone.</p>
${typeof hits === 'string' ? '' : hitTable(visit, hits, pages)}`;
}

function hitTable({ href }: Visit, hits: readonly SearchHit[], pages: typeof recordPages): Markup {
  const title = (hit: SearchHit) => {
    const page = pages[hit.kind];
    const text = shownAddresses(hit.title);
    return page === undefined ? text : html`<a href="${href(filled(page, hit))}">${text}</a>`;
  };
  return table('Records', {
    columns: [
      { title: 'Record', cell: title },
      { title: 'Kind', cell: ({ kind }) => kindNames[kind] },
      { title: 'Summary', cell: ({ summary }) => summary },
      { title: 'Id', cell: ({ id }) => idText(id) },
    ],
    rows: hits,
    empty: 'No results. Records outside the scopes of your key are not searched.',
  });
}
