import { type Answered, type Call, handlerOf, proxyEvent, read, registered } from '../call.ts';
import { asFunction, grantsOf } from '../granted.ts';
import { consoleScript } from './deployed-files.ts';

/** Forms of pages, as browsers send them. */
export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

export const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

/** The forms of a page. */
export const formsOf = (page: string): string[] => page.match(/<form[\s\S]*?<\/form>/g) ?? [];

/** The hidden fields of a form. */
export function hiddenFieldsOf(formHtml: string): Record<string, string> {
  const inputs = [...formHtml.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

/** The hidden fields of the form with the step's button. */
export const formWith = (page: string, step: string): Record<string, string> =>
  hiddenFieldsOf(formsOf(page).find((one) => one.includes(`name="step" value="${step}"`)) ?? '');

/** The fields of a form as a browser sends them when nobody changes one. */
export function fieldsOfForm(formHtml: string): Record<string, string> {
  const fields: [string, string][] = [];
  for (const [tag] of formHtml.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(tag) ?? [];
    const [, value = 'on'] = /value="([^"]*)"/.exec(tag) ?? [];
    if (!/type="(checkbox|radio)"/.test(tag) || / checked/.test(tag)) fields.push([name, unescaped(value)]);
  }
  for (const [, name = '', text = ''] of formHtml.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)/g))
    fields.push([name, unescaped(text)]);
  for (const [, name = '', options = ''] of formHtml.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  )) {
    const [, first = ''] = /<option value="([^"]*)"/.exec(options) ?? [];
    const [, selected = first] = /<option value="([^"]*)" selected/.exec(options) ?? [];
    fields.push([name, unescaped(selected)]);
  }
  return Object.fromEntries(fields);
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');

/** A form with files, as browsers send it: its bytes and its headers. */
export async function multipart(
  fields: readonly (readonly [name: string, value: string | File])[],
): Promise<{ body: Uint8Array; headers: { 'content-type': string } }> {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  const encoded = new Response(data);
  const body = new Uint8Array(await encoded.arrayBuffer());
  return { body, headers: { 'content-type': encoded.headers.get('content-type') ?? '' } };
}

/** A response with the cookies that it sets, and whether it has the script of the console. Its text is without that one. */
export type PageResponse = Answered & { cookies: string[]; hasScript: boolean };

const ownScript = `<script>${consoleScript}</script>\n`;

/** Like `call`, and returns the cookies that the response sets. */
export async function browse(id: string, request: Call): Promise<PageResponse> {
  const entry = registered(id);
  const handler = await handlerOf(entry);
  const event = proxyEvent(entry, request);
  const result = await asFunction(id, grantsOf(entry.route), () => handler(event));
  const answered = read(result);
  const text = answered.text.replace(ownScript, '');
  const hasScript = text !== answered.text;
  return {
    ...answered,
    text,
    hasScript,
    cookies: (result.multiValueHeaders?.['set-cookie'] ?? []) as string[],
  };
}

/** The routes that show a page and receive its forms. */
export interface PageRoutes {
  show: string;
  submit: string;
}

/** A cookie of a response as the browser sends it. */
export const sentBack = (cookie = ''): string => cookie.split(';', 1)[0] ?? '';

/** The `Cookie` header of a browser that has received others, the newest first. */
function withCookies(header: string | undefined, received: readonly string[]): string | undefined {
  const pairs = [...received.map(sentBack), ...(header?.split('; ') ?? [])];
  const names = pairs.map((pair) => pair.split('=', 1)[0]);
  return pairs.filter((_, n) => names.indexOf(names[n]) === n).join('; ') || undefined;
}

/** A browser on a page with a session: it keeps the cookies and the page that it shows. */
export class PageBrowser {
  cookie: string | undefined;
  page: PageResponse | undefined;
  readonly #routes: PageRoutes;
  /** The address from which it requests. Without one, each request has its own. */
  readonly #sourceIp: string | undefined;

  constructor(routes: PageRoutes, sourceIp?: string) {
    this.#routes = routes;
    this.#sourceIp = sourceIp;
  }

  open(query: Record<string, string> = {}): Promise<PageResponse> {
    return this.#receive(this.#routes.show, { query, headers: this.#headers() });
  }

  /** Submits the form with the step's button. `filled` overrides its fields. */
  send(step: string, filled: Record<string, string> = {}, more: Partial<Call> = {}): Promise<PageResponse> {
    return this.post(this.#fields(step, filled), more);
  }

  post(fields: Record<string, string>, more: Partial<Call> = {}): Promise<PageResponse> {
    const headers = { ...this.#headers(), ...formType, ...more.headers };
    return this.#receive(this.#routes.submit, { body: form(fields), ...more, headers });
  }

  /** The request of the form with the step's button, for a call. */
  request(step: string, filled: Record<string, string> = {}): Call {
    return { body: form(this.#fields(step, filled)), headers: { ...this.#headers(), ...formType } };
  }

  /** Another tab with the same cookies, which keeps what it receives to itself. */
  tab(): PageBrowser {
    const tab = new PageBrowser(this.#routes, this.#sourceIp);
    tab.cookie = this.cookie;
    return tab;
  }

  #fields(step: string, filled: Record<string, string>): Record<string, string> {
    return { ...formWith(this.page?.text ?? '', step), ...filled, step };
  }

  #headers(): Record<string, string> {
    return this.cookie === undefined ? {} : { cookie: this.cookie };
  }

  async #receive(id: string, request: Call): Promise<PageResponse> {
    const sourceIp = this.#sourceIp;
    const response = await browse(id, sourceIp === undefined ? request : { sourceIp, ...request });
    this.cookie = withCookies(this.cookie, response.cookies);
    this.page = response;
    return response;
  }
}
