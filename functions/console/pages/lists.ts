/** The pages of lists: filters, the period, the file. */
import * as z from 'zod/mini';
import { ApiError } from '../../shared/contract/errors.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { validationMessages } from '../../shared/lambda/validation-messages.ts';
import { periodFields } from '../../shared/lists/requests.ts';
import { hiddenField, selectField, textField } from './blocks.ts';
import { type Answer, type Crumbs, show, type Visit, withQuery } from './visit.ts';

/** The most records of a file. */
export const largestFile = 1_000;

/** The most records of a file that is for the books. */
export const largestAccount = 10_000;

/** The filter of a list: a field, or a choice between values of which none stands for all. */
type Filter = readonly [name: string, label: string, kind: 'date' | 'text' | readonly string[]];

/** The filters of a list by time. @param of the event whose time is meant: `Created`. */
export const periodFilters = (of: string): readonly Filter[] => [
  ['from', `${of} from`, 'date'],
  ['to', 'To (inclusive)', 'date'],
];

export const Period = z.object(periodFields('the creation'));

type Problems = Readonly<Record<string, string>>;

interface FormOptions {
  /** By the names of the filters. One of a value that has no field is shown after the form. */
  problems?: Problems;
  button?: string;
  /** Values that the form sends beside the filters. */
  fixed?: Readonly<Record<string, string>>;
}

/** The form that shows a page with other filters, from its beginning. */
export function filterForm(
  { href, path, query }: Visit,
  filters: readonly Filter[],
  { problems = {}, button = 'Show', fixed = {} }: FormOptions = {},
): Markup {
  const fields = filters.map(([name, label, kind]) => {
    const value = query[name] ?? '';
    if (kind === 'date' || kind === 'text')
      return textField(name, label, { type: kind, value, error: problems[name] });
    const choices = [['', 'All'] as const, ...kind.map((one) => [one, one.replaceAll('_', ' ')] as const)];
    return selectField(name, label, { choices, value, error: problems[name] });
  });
  const hidden = Object.entries(fixed).map(([name, value]) => hiddenField(name, value));
  const others = Object.entries(problems).filter(([name]) => filters.every(([one]) => one !== name));
  return html`<form method="get" action="${href(path)}"><div class="row">${hidden}${fields}<div class="field"><button type="submit">${button}</button></div></div></form>
${others.map(([name, problem]) => html`<p class="alert" role="alert">${name} ${problem}</p>`)}`;
}

/** The parts of a page of a list. */
interface Filtered<S extends z.ZodMiniType> {
  /** Parses the query. */
  schema: S;
  filters: readonly Filter[];
  /** Values of the query that no filter changes. */
  fixed?: Readonly<Record<string, string>>;
  crumbs?: Crumbs;
  /** Reads the list, for a page or for a file of it. */
  read(asked: z.output<S>): Promise<Markup | Answer>;
  /** @param form of the filters. @param content of the list; empty while a filter is not valid. */
  page?(form: Markup, content: Markup | ''): Markup;
}

/** A page with a list and its filters. One that is not valid, or a period that ends before it begins, has its problem beside it. */
export async function filteredPage<S extends z.ZodMiniType>(
  visit: Visit,
  title: string,
  {
    schema,
    filters,
    fixed = {},
    crumbs = {},
    read,
    page = (form, content) => html`<h1 dir="auto">${title}</h1>${form}${content}`,
  }: Filtered<S>,
): Promise<Answer> {
  const refused = (problems: Problems) =>
    show(title, page(filterForm(visit, filters, { problems, fixed }), ''), { status: 400, crumbs });
  const asked = schema.safeParse(visit.query, { reportInput: true });
  if (!asked.success) return refused(validationMessages(asked.error.issues, 'query'));
  const answer = await orRefused(() => read(asked.data), refused);
  return 'kind' in answer
    ? answer
    : show(title, page(filterForm(visit, filters, { fixed }), answer), { crumbs });
}

/** @param refused answers a period that ends before it begins, with the problem by the name of its field. */
export async function orRefused<T>(
  read: () => Promise<T>,
  refused: (problems: { from: string }) => Answer,
): Promise<T | Answer> {
  try {
    return await read();
  } catch (error) {
    const problem = error instanceof ApiError ? error.details?.from : undefined;
    if (problem === undefined) throw error;
    return refused({ from: String(problem) });
  }
}

/** The link to the file of a list, from the place of the page on. @param records in the plural. */
export function fileLink({ href, path, query }: Visit, records: string): Markup {
  const address = href(withQuery(path, Object.assign({}, query, { format: 'csv' })));
  return html`<p class="note"><a href="${address}">Download CSV</a>: up to ${largestFile.toLocaleString('en')} ${records}, starting with this page. When more follow, the name of the file ends with <code>-part</code>. To export the others, set a period.</p>`;
}
