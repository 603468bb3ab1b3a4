/** The pages of operations: a form of its own, the response to it, and why it was refused. */

import { defined } from '../../shared/contract/defined.ts';
import type { ApiError } from '../../shared/contract/errors.ts';
import { isObject } from '../../shared/contract/merge-patch.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { type Command, operationPath, type Preview } from '../contracts/command.ts';
import { facts, idText, time } from '../pages/blocks.ts';
import { type Answer, type ConsolePath, pageNamed, show, type Visit, withQuery } from '../pages/visit.ts';
import { type FormField, fieldsOf, labelOf } from './fields.ts';
import { inputFields, operationForm } from './form.ts';
import { type FormValues, isId, isWithin, rowsIn, shownIn, valuesOf, valueText } from './values.ts';

const back = ({ href }: Visit, next: ConsolePath) =>
  html`<p class="more"><a href="${href(next)}">Back</a></p>`;

/** The page of an operation. @param values of its fields. */
export function operationPage(visit: Visit, command: Command, values: FormValues): Answer {
  const next = pageNamed(values.page);
  const { title } = command.words;
  const form = operationForm(visit, command, { values, next });
  return show(title, html`<h1>${title}</h1>${form}${back(visit, next)}`);
}

/**
 * The page of a record: its values, the form that changes it, and the other operations on it.
 *
 * @param record as the API returns it.
 * @param others of its service that take its ids.
 */
export function recordPage(
  visit: Visit,
  command: Command,
  { record, others }: { record: object; others: readonly Command[] },
): Answer {
  const { query, href } = visit;
  const next = pageNamed(query.page);
  const { title } = command.words;
  const { 'body.revision': revision, ...values } = valuesOf(fieldsOf(command.route.body, 'body'), record);
  const ids = Object.fromEntries(Object.entries(query).filter(([name]) => isId(name)));
  const form = operationForm(visit, command, {
    fixed: Object.assign({}, ids, defined({ 'body.revision': revision })),
    values,
    shown: values,
    next,
  });
  const own = withQuery(visit.path, query);
  const links = others.map(({ service, name, route, words }) => {
    // The page of the record ends with it.
    const after = route.method === 'DELETE' && route.path === command.route.path ? query.page : own;
    const path = operationPath(service, name, Object.assign({}, ids, { page: after }));
    return html`<li><a href="${href(path)}">${words.title}</a></li>`;
  });
  return show(
    title,
    html`<h1>${title}</h1>
${facts(factsIn(record, values))}
${form}
<section aria-labelledby="others"><h2 id="others">Other operations</h2><ul>${links}</ul></section>${back(visit, next)}`,
  );
}

/** The single values of a record that its form does not have. */
function factsIn(record: object, values: FormValues): [name: string, value: string | Markup][] {
  return Object.entries(record)
    .filter(([name, value]) => /string|boolean/.test(typeof value) && values[`body.${name}`] === undefined)
    .map(([name, value]) => [labelOf(name.replace('_', '')), factText(name, value)]);
}

function factText(name: string, value: unknown): string | Markup {
  if (/id$/i.test(name)) return idText(String(value));
  return name.endsWith('At') ? time(Date.parse(String(value))) : valueText(value);
}

/**
 * The page that says what a form would change, with the form that does it.
 *
 * @param status 409 when the record was changed after the former page was shown.
 */
export function previewPage(
  visit: Visit,
  command: Command,
  sent: FormValues,
  { content, revision }: Preview,
  status: 200 | 409,
): Answer {
  const { title = command.words.title } = sent;
  const next = pageNamed(sent.page);
  const entered = Object.entries(sent).filter(
    ([name, value]) => (isId(name) || name.startsWith('body.')) && value !== '',
  );
  const fixed = Object.assign(Object.fromEntries(entered), { 'body.revision': String(revision) });
  const stale = html`<p class="alert" role="alert">The record was changed after the page was shown. Nothing was changed by this form. This is the difference now.</p>`;
  const form = operationForm(visit, command, {
    title,
    fixed,
    shown: shownIn(sent),
    step: 'confirm',
    note: '',
    next,
  });
  return show(
    title,
    html`<h1>${title}</h1>${status === 409 ? stale : ''}${content}${revision === undefined ? '' : form}${back(visit, next)}`,
    { status },
  );
}

/** The response of an operation that has a secret. */
export function responsePage(
  visit: Visit,
  { words: { title } }: Command,
  response: unknown,
  next: ConsolePath,
): Answer {
  return show(
    title,
    html`<h1>${title}</h1>
<p role="alert">The secret is shown on this page alone. Copy it now: it cannot be shown again.</p>
${facts(valuesIn(response).map(([name, value]) => [name, idText(value)] as const))}
${back(visit, next)}`,
  );
}

/** The values of a response, by their names: `webhook.url`. */
function valuesIn(value: unknown, name = ''): [name: string, value: string][] {
  if (Array.isArray(value) && value.some(isObject))
    return value.flatMap((one, n) => valuesIn(one, `${name}.${n + 1}`));
  if (Array.isArray(value)) return [[name, value.map(String).join(', ')]];
  if (!isObject(value)) return value === undefined || value === null ? [] : [[name, String(value)]];
  return Object.entries(value).flatMap(([one, inner]) =>
    valuesIn(inner, name === '' ? one : `${name}.${one}`),
  );
}

/**
 * The form again, with what was entered, and the problem at its field. It is the same form: one whose request was carried out, with a response
 * that was lost, does its work once.
 */
export function refusedPage(visit: Visit, command: Command, sent: FormValues, error: ApiError): Answer {
  const { title = command.words.title, step } = sent;
  const next = pageNamed(sent.page);
  const names = ['applicationId', ...namesOf(inputFields(command.route), sent)];
  // The page filled some in: a correction leaves them as they were.
  const fixedNames = (sent.fixed ?? '').split(' ').filter((name) => isId(name) || name.startsWith('body.'));
  const isFixedName = (name: string) => fixedNames.some((one) => isWithin([name], one));
  const fixed = Object.fromEntries(Object.entries(sent).filter(([name]) => isFixedName(name)));
  const values = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, sent[`${name}.other`] || value]),
  );
  const shown = ['reason', ...names].filter((name) => !isFixedName(name));
  const { problems, others } = placed(shown, error.details ?? {});
  const text =
    Object.keys(problems).length > 0 ? 'An entry is not possible. Nothing was changed.' : inWords(error);
  const once = error.code === 'idempotency_mismatch' ? undefined : sent.once;
  return show(
    title,
    html`<h1>${title}</h1>
<p role="alert">${text}</p>
${others.length === 0 ? '' : facts(others)}
${operationForm(visit, command, Object.assign({ title, fixed, values, problems, next, shown: shownIn(sent), step }, defined({ once })))}
${back(visit, next)}`,
    { status: error.status === 400 ? 422 : statusOf(error) },
  );
}

/** Why an operation was refused. The details of the error follow. */
function inWords({ code, details, body }: ApiError): string {
  switch (code) {
    case 'conflict':
      return details === undefined
        ? 'The record has changed since you opened the page. Open it again. Nothing was changed.'
        : 'This is not possible as things are. Nothing was changed.';
    case 'invalid_transition':
      return 'The status does not allow this. Nothing was changed.';
    case 'idempotency_mismatch':
      return 'This form was already submitted with different values. Nothing was changed.';
    case 'idempotency_in_progress':
      return 'This form is being carried out. Submit it again in a moment: it does its work once.';
    case 'money_moving':
      return body.message ?? body.error;
    case 'not_found':
      return 'There is no such record, or it was removed. Nothing was changed.';
    default:
      return `${body.message ?? body.error} Nothing was changed.`;
  }
}

const statusOf = ({ status }: ApiError) => (status === 404 ? 404 : 409);

/** The details of an error, at the fields that they name, and the others. @param shown the names of the fields that people see. */
function placed(shown: readonly string[], details: Readonly<Record<string, unknown>>) {
  const byOwnName = new Map(shown.map((name) => [name.replace(/^(path|body)\./, ''), name]));
  const problems: Record<string, string> = {};
  const others: [string, string][] = [];
  for (const [name, problem] of Object.entries(details)) {
    // A problem of a part that has no field of its own is one of the whole.
    const field =
      byOwnName.get(name.replaceAll(/\[(\d+)\]/g, '.$1')) ?? byOwnName.get(name.replace(/[[.].*$/, ''));
    if (field === undefined) others.push([name, String(problem)]);
    else problems[field] = String(problem);
  }
  return { problems, others };
}

function namesOf(fields: readonly FormField[], sent: FormValues): string[] {
  return fields.flatMap((field) => {
    if (field.kind === 'group') return [field.name, ...namesOf(field.fields, sent)];
    if (field.kind === 'rows') {
      const rows = Array.from({ length: rowsIn(field.name, sent) }, (_, n) => namesOf(field.row(n), sent));
      return [field.name, ...rows.flat()];
    }
    return [field.name];
  });
}
