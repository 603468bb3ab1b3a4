/** The parts of pages that show lists: filters, and the file. */
import { ApiError } from '../../shared/contract/errors.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { hiddenField, selectField, textField } from './blocks.ts';
import { withQuery } from './path.ts';
import type { Answer, Visit } from './visit.ts';

/** The most records of a file. */
export const largestFile = 1_000;

/** The most records of a file that is for the books. */
export const largestAccount = 10_000;

/** A form that shows the page with other filters, from its beginning. */
export function filterForm({ href, path }: Visit, fields: readonly Markup[], button = 'Show'): Markup {
  return html`<form method="get" action="${href(path)}"><div class="row">${[...fields]}<div class="field"><button type="submit">${button}</button></div></div></form>`;
}

/** The answer of a list. @param refused answers a period that ends before it begins, with the problem by the name of its field. */
export async function ofPeriod(
  list: () => Promise<Answer>,
  refused: (problems: { from: string }) => Answer,
): Promise<Answer> {
  try {
    return await list();
  } catch (error) {
    const problem = error instanceof ApiError ? error.details?.from : undefined;
    if (problem === undefined) throw error;
    return refused({ from: String(problem) });
  }
}

/** A field with a value of a list. The first choice, empty, stands for all. */
export function choiceField(
  name: string,
  label: string,
  { choices, value = '' }: { choices: readonly string[]; value?: string | undefined },
): Markup {
  const all = ['', 'All'] as const;
  return selectField(name, label, { choices: [all, ...choices.map((one) => [one, one] as const)], value });
}

/** The link to the file of a list, from the place of the page on. @param records in the plural. */
export function fileLink({ href, path, query }: Visit, records: string): Markup {
  const address = href(withQuery(path, Object.assign({}, query, { format: 'csv' })));
  return html`<p class="note"><a href="${address}">Download CSV</a>: up to ${largestFile.toLocaleString('en')} ${records}, starting with this page. When more follow, the name of the file ends with <code>-part</code>. To export the others, set a period.</p>`;
}

/** The search of the console within an application. The search of the header covers all applications. */
export function searchForm({ href }: Visit, applicationId: string): Markup {
  return html`<form method="get" action="${href('/console/search')}"><div class="row">
${textField('q', 'Address, reference number, number of a document or id', { maxLength: 254 })}${hiddenField('application', applicationId)}
<div class="field"><button type="submit">Find</button></div></div></form>
`;
}
