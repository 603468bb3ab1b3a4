/** The request of a person who is signed in, and the answers to it. */
import { defined } from '../../shared/contract/defined.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import type { Reply } from '../../shared/contract/route.ts';
import type { Markup } from '../../shared/html/markup.ts';
import { csvType } from '../../shared/lists/csv.ts';
import type { Addresses, ConsolePath } from './path.ts';

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
