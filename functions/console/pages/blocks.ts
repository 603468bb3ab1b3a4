/** The parts of which the pages of the console are made. */

import { escaped, html, type Markup, raw } from '../../shared/html/markup.ts';
import { formatDate, formatTime, shownAddresses } from '../../shared/html/text.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { isoDay, utc, type Zoned } from '../../shared/runtime/time-zone.ts';
import type { ConsolePath, Visit } from './visit.ts';

/** An id, in letters of one width. The script of the console has a button for it that copies it. */
export const idText = (id: string): Markup => html`<span class="id">${id}</span>`;

/** A time in UTC, as the footer of each page says. */
export const time = (epochMs: number): string => formatTime(epochMs, utc);

/** A time that programs can read, too. */
export const moment = (epochMs: number): Markup =>
  html`<time datetime="${isoTime(epochMs)}">${time(epochMs)}</time>`;

/** A day that programs can read, too. */
export const day = (epochMs: number, zone: Zoned): Markup =>
  html`<time datetime="${isoDay(epochMs, zone.timeZone)}">${formatDate(epochMs, zone)}</time>`;

/** Statuses in which a person may have to do something. */
const alarming =
  /^(past due|failed|disabled|rejected|unpaid|uncollectible|unapplied|expired|gave up|given up)$/;

/** A status: its first words in a frame, and what else is known of it. */
export function badge(status: string): Markup {
  const [, words = '', more = ''] = /^([^,:]*)(.*)$/s.exec(status) ?? [];
  return html`<span class="badge${alarming.test(words) ? ' alarm' : ''}">${words}</span>${more}`;
}

/** A part of a page, with its title. @param id unique in the page. */
export const section = (id: string, title: string, content: Markup): Markup =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>\n`;

const shown = (value: string | Markup): string | Markup =>
  typeof value === 'string' ? shownAddresses(value) : value;

/** A text of a person in its lines. Each line is as any other text of a page. */
export function lines(text: string): Markup {
  const [first = '', ...more] = text.split(/\r\n|[\r\n]/);
  if (more.length === 0) return html`${shownAddresses(first)}`;
  return html`<span class="sent">${shownAddresses(first)}${more.map((line) => html`\n${shownAddresses(line)}`)}</span>`;
}

/** A text as it is, in several lines. Invisible characters, which could reorder the page, are escaped as in JSON. */
export const verbatim = (text: string): Markup =>
  escaped(
    text.replace(/\p{Cf}/gu, (character) =>
      Array.from(
        { length: character.length },
        (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
      ).join(''),
    ),
  );

/** Names with their values. A value that is undefined is left out. */
export function facts(
  list: readonly (readonly [name: string, value: string | Markup | undefined])[],
): Markup {
  const entries = list.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<div><dt>${name}</dt><dd dir="auto">${shown(value)}</dd></div>`],
  );
  return html`<dl class="facts">${entries}</dl>`;
}

/** A form with the anti-forgery token. @param encoding `multipart/form-data` for one with a file. */
export function actionForm(
  { formToken, href }: Visit,
  path: ConsolePath,
  content: Markup,
  encoding?: 'multipart/form-data',
): Markup {
  return html`<form method="post" action="${href(path)}"${encoding === undefined ? '' : html` enctype="${encoding}"`}><input type="hidden" name="form" value="${formToken}">${content}</form>`;
}

/** A field that a form sends, and that nobody sees. */
export function hiddenField(name: string, value: number | string): Markup {
  return html`<input type="hidden" name="${name}" value="${escaped(String(value))}">`;
}

/** A field with one of several values. The name is its id, unless another one is given. @param value the chosen one. */
export function selectField(
  name: string,
  label: string,
  {
    id = name,
    choices,
    value,
    help,
    error,
  }: {
    id?: string;
    choices: readonly (readonly [value: string, text: string])[];
    value?: string | undefined;
    help?: string | undefined;
    error?: string | undefined;
  },
): Markup {
  const options = choices.map(
    ([choice, text]) =>
      html`<option value="${escaped(choice)}"${choice === value ? raw(' selected') : ''}>${text}</option>`,
  );
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}"${described(id, help, error)}>${options}</select>${notesOf(id, help, error)}</div>`;
}

/** A field with one of several values, each in full: a select cuts its texts. @param value the chosen one. */
export function choiceField(
  name: string,
  legend: string,
  {
    choices,
    value,
    isLegendUnseen = false,
  }: {
    choices: readonly (readonly [value: string, text: string])[];
    value: string;
    isLegendUnseen?: boolean;
  },
): Markup {
  const buttons = choices.map(
    ([choice, text]) =>
      html`<label><input type="radio" name="${name}" value="${escaped(choice)}"${choice === value ? raw(' checked') : ''}> <span dir="auto">${text}</span></label>`,
  );
  return html`<fieldset><legend${isLegendUnseen ? raw(' class="unseen"') : ''}>${legend}</legend>${buttons}</fieldset>`;
}

/** A field of one line, with its label and what is wrong with it. The name is its id, unless another one is given. */
export function textField(
  name: string,
  label: string,
  {
    id = name,
    type = 'text',
    value = '',
    maxLength = 256,
    help,
    error,
    isRequired = false,
    isLabelUnseen = false,
  }: {
    id?: string;
    /** A `date` is a day, which the browser sends as `2026-11-01` and shows in the form of its user. */
    type?: 'text' | 'date' | 'datetime-local';
    value?: string;
    maxLength?: number;
    help?: string | undefined;
    error?: string | undefined;
    isRequired?: boolean;
    isLabelUnseen?: boolean;
  } = {},
): Markup {
  // By default a browser takes whole minutes alone.
  const step = type === 'datetime-local' ? [raw(' step="1"')] : [];
  const attributes = [...(isRequired ? [raw(' required')] : []), ...step, described(id, help, error)];
  return html`<div class="field"><label for="${id}"${isLabelUnseen ? raw(' class="unseen"') : ''}>${label}</label><input id="${id}" name="${name}" type="${type}" value="${escaped(value)}" maxlength="${String(maxLength)}" autocomplete="off" spellcheck="false"${attributes}>${notesOf(id, help, error)}</div>`;
}

/** The attributes of a field with a help or a problem. */
export function described(id: string, help: string | undefined, error: string | undefined): Markup {
  const notes = [
    ...(help === undefined ? [] : [`${id}-help`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ].join(' ');
  const invalid = error === undefined ? '' : raw(' aria-invalid="true"');
  return notes === '' ? raw('') : html`${invalid} aria-describedby="${notes}"`;
}

/** A text of a contract, whose names stand between backticks. */
const withCode = (text: string): Markup[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${escaped(part)}</code>` : escaped(part)));

/** The help of a field, and what is wrong with it. */
export function notesOf(id: string, help: string | undefined, error: string | undefined): Markup {
  const hint = help === undefined ? '' : html`<p class="hint" id="${id}-help">${withCode(help)}</p>`;
  const problem =
    error === undefined ? '' : html`<p class="error" id="${id}-error" role="alert">${error}</p>`;
  return html`${hint}${problem}`;
}

/** The field in which a person says why they act. @param id unique in the page. */
export function reasonField(
  id: string,
  { value = '', error }: { value?: string | undefined; error?: string | undefined } = {},
): Markup {
  return textField('reason', 'Reason', { id, maxLength: 500, isRequired: true, value, error });
}
