import { defined } from '../../shared/contract/defined.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { escaped, type Markup } from '../../shared/html/markup.ts';
import { csvType } from '../../shared/lists/csv.ts';

/** The path of a page of the console. It can have a query. */
export type ConsolePath = `/console${string}`;

/** A path in which the values stand for their `{names}`. They are percent-encoded. */
export function filled(path: ConsolePath, values: object): ConsolePath {
  const found = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const fill = (_: string, name: string) => encodeURIComponent((found.get(name) ?? '').toWellFormed());
  return `/console${path.slice('/console'.length).replaceAll(/\{(\w+)\}/g, fill)}`;
}

/** A path with the fields of a query that are defined. */
export function withQuery(
  path: ConsolePath,
  query: Readonly<Record<string, string | undefined>>,
): ConsolePath {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, value);
  if (search.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${search}`;
}

/**
 * Addresses as seen from a page. They are relative to it, so that they are correct under any path prefix of the API.
 *
 * @param own the path of the page: of its route, or a real one.
 */
export function addressesFrom(own: string): Addresses {
  const up = '../'.repeat(own.split('/').length - 2);
  const uri = (path: ConsolePath) => up + path.slice(1);
  return { uri, href: (path) => escaped(uri(path)) };
}

export interface Addresses {
  /** For `Location`. */
  uri(path: ConsolePath): string;
  /** For an attribute of the page. */
  href(path: ConsolePath): Markup;
}

/** Pages that no sign-in leads back to. */
const unfit: ReadonlySet<string> = new Set(['/console/sign-in', '/console/sign-out']);

/**
 * The page of the console that an address from outside names. An address of anything else, of another site for example,
 * counts as the home page. The URL parser of browsers decides what an address means.
 */
export function pageNamed(address: string | undefined): ConsolePath {
  const base = 'https://console.invalid';
  const url = address === undefined ? undefined : URL.parse(address, base);
  if (url?.origin !== base || unfit.has(url.pathname)) return '/console';
  // A page makes its own notice.
  for (const name of ['notice', 'noticeForm']) url.searchParams.delete(name);
  const [, rest] = /^\/console((?:\/.*)?)$/.exec(url.pathname) ?? [];
  return rest === undefined ? '/console' : `/console${rest}${url.search}`;
}

/** A form of one button that a notice carries for some time. */
export interface NoticeForm {
  path: ConsolePath;
  fields: Readonly<Record<string, string | number>>;
  button: string;
  /** The key that presses the button. */
  key: string;
  untilMs: number;
}

export interface Visit extends Addresses {
  /** The person, as records of actions name them. */
  operator: Operator;
  /** Of the operator key, at this request. */
  scopes: readonly string[];
  /** The anti-forgery token of every form. */
  formToken: string;
  /** The path that was asked for, without its query. */
  path: ConsolePath;
  /** The query that was asked for, without the notice. */
  query: Readonly<Record<string, string | undefined>>;
  /** The result of the action before. */
  notice: string | undefined;
  /** The form that the notice carries. */
  noticeForm: NoticeForm | undefined;
  nowMs: number;
  /** The end of the session, in epoch milliseconds. */
  sessionEndsAtMs: number;
}

/** The answer to a visit: a page, a file to save, a document as another service returns it, or after an action a redirect to the page that shows it. */
export type Answer =
  | {
      kind: 'page';
      status: 200 | 400 | 404 | 409 | 422;
      title: string;
      content: Markup;
      /** The names of the pages that it is within. */
      crumbs?: Crumbs;
      /** After which the browser loads the page again, for work that goes on. */
      refreshSeconds?: number;
    }
  | { kind: 'file'; name: string; type: string; body: string }
  | { kind: 'document'; reply: Reply }
  | { kind: 'redirect'; path: ConsolePath; notice: string; form?: NoticeForm };

type Page = Extract<Answer, { kind: 'page' }>;

/** Pages that a page is within, each by its path: those that the path does not show, and the names of records. */
export type Crumbs = Readonly<Record<string, string>>;

/** A page. @param more its status, other than 200 when a form cannot proceed, and what else it has. */
export function show(
  title: string,
  content: Markup,
  more: Partial<Pick<Page, 'status' | 'crumbs' | 'refreshSeconds'>> = {},
): Answer {
  return Object.assign({ kind: 'page', status: 200, title, content } as const, more);
}

/**
 * A redirect after an action.
 *
 * @param notice what was done, at most 400 characters. The page shows it, to this session alone.
 * @param form that the page offers with the notice.
 */
export function redirectTo(path: ConsolePath, notice: string, form?: NoticeForm): Answer {
  return { kind: 'redirect', path, notice, ...defined({ form }) };
}

/** A CSV file that the browser saves. @param name of printable ASCII without quotation marks. */
export function csvFile(name: string, body: string): Answer {
  return { kind: 'file', name, type: csvType, body };
}
