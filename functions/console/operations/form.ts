/** The form of an operation. */

import { bodyFields, type Route } from '../../shared/contract/route.ts';
import { escaped, html, type Markup, raw } from '../../shared/html/markup.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { actsFor, type Command } from '../contracts/command.ts';
import {
  actionForm,
  described,
  hiddenField,
  notesOf,
  reasonField,
  selectField,
  textField,
} from '../pages/blocks.ts';
import type { ConsolePath } from '../pages/path.ts';
import type { Visit } from '../pages/visit.ts';
import { type FormField, fieldsOf, rowsIn, type Sent } from './fields.ts';

/** A form as a page has it. */
export interface Given {
  /** The title, where the page names the operation for a record or for some of its values. Also the button. */
  readonly title?: string;
  readonly note?: string;
  /** Fields that the form sends and that nobody sees, such as the ids of the record. */
  readonly fixed?: Sent;
  /** The values of the other fields. */
  readonly values?: Sent;
  /** The problems of the fields, by their names. */
  readonly problems?: Readonly<Record<string, string>>;
  /** The page that follows. */
  readonly next: ConsolePath;
}

/** The fields of the path and of the body of an operation. */
export const inputFields = ({ params, body }: Pick<Route, 'params' | 'body'>): FormField[] => [
  ...fieldsOf(params, 'path'),
  ...fieldsOf(body, 'body'),
];

/** Whether the body has the reason. Otherwise it is the operator's own, for the audit record. */
export const statesReason = ({ body }: Pick<Route, 'body'>): boolean => 'reason' in bodyFields(body);

/** The form of an operation. Its fields, with their help, follow from the contract. */
export function operationForm(visit: Visit, { service, name, route, words }: Command, given: Given): Markup {
  const { fixed = {}, values = {}, problems = {}, title = words.title, note = route.summary, next } = given;
  const sent = Object.assign({ once: randomToken() }, fixed, { operation: name, next });
  const hidden = Object.entries(sent).map(([one, value]) => hiddenField(one, value ?? ''));
  const shown = inputFields(route).filter((field) => !isFixed(field, fixed));
  const fields = shown.map((field) =>
    control(
      field.name === 'body.reason' ? Object.assign({}, field, { isRequired: true }) : field,
      values,
      problems,
    ),
  );
  const application =
    actsFor(route) && fixed.applicationId === undefined
      ? textField('applicationId', 'Application id', {
          value: values.applicationId ?? '',
          error: problems.applicationId,
          isRequired: true,
        })
      : '';
  const id = [name, ...Object.values(fixed)].join('-');
  const reason = statesReason(route) ? '' : reasonField(`${id}-reason`, problems.reason);
  const button = html`<div class="actions"><button type="submit">${title}</button></div>`;
  const content = html`<p class="note">${note}</p>${hidden}${application}${fields}${reason}${button}`;
  return actionForm(visit, `/console/operations/${service}`, content);
}

/** The form of an operation behind its title, as pages of records have it. */
export function operationDetails(visit: Visit, command: Command, given: Given): Markup {
  const { title = command.words.title } = given;
  return html`<details><summary>${title}</summary>${operationForm(visit, command, given)}</details>\n`;
}

const isFixed = ({ name }: FormField, fixed: Sent): boolean =>
  Object.keys(fixed).some((one) => one === name || one.startsWith(`${name}.`));

/** A field as people fill it in. */
function control(field: FormField, values: Sent, problems: Readonly<Record<string, string>>): Markup {
  const { name, label, help, isRequired, kind } = field;
  const value = values[name] ?? '';
  const more = { value, isRequired, help, error: problems[name] };
  const asked = isRequired ? label : `${label} (optional)`;
  switch (kind) {
    case 'text':
      return textField(name, asked, Object.assign(more, { maxLength: field.maxLength ?? 2_048 }));
    case 'number':
      return textField(name, asked, Object.assign(more, { maxLength: 20 }));
    case 'time':
      return textField(name, `${asked}, UTC`, Object.assign(more, { type: 'datetime-local' as const }));
    case 'flag':
      return selectField(name, asked, Object.assign(more, { choices: choicesOf(field, ['yes', 'no']) }));
    case 'choice':
      return selectField(name, asked, Object.assign(more, { choices: choicesOf(field, field.choices) }));
    case 'choices':
      return group(
        field,
        field.choices.map(
          (choice) =>
            html`<label><input type="checkbox" name="${`${name}.${choice}`}"${values[`${name}.${choice}`] === undefined ? '' : raw(' checked')}> ${choice}</label>`,
        ),
        problems,
      );
    case 'lines':
      return area(field, `${asked}, one in each line`, more);
    case 'json':
      return area(field, `${asked}, JSON`, more);
    case 'group':
      return group(field, controls(field.fields, values, problems), problems);
    case 'rows': {
      const rows = Array.from({ length: rowsIn(name, values) + 2 }, (_, n) =>
        group(
          { name: `${name}.${n}`, label: `${label} ${n + 1}`, help: undefined },
          controls(field.row(n), values, problems),
          problems,
        ),
      );
      return group(field, rows, problems);
    }
  }
}

/** The fields within another one. A browser requires none: the whole may be left out. */
const controls = (fields: readonly FormField[], values: Sent, problems: Readonly<Record<string, string>>) =>
  fields.map((field) => control(Object.assign({}, field, { isRequired: false }), values, problems));

const choicesOf = ({ isRequired }: FormField, choices: readonly string[]) => {
  const all = choices.map((choice) => [choice, choice.replaceAll('_', ' ')] as const);
  return isRequired ? all : [['', ''] as const, ...all];
};

function group(
  { name, label, help }: Pick<FormField, 'name' | 'label' | 'help'>,
  content: Markup[],
  problems: Readonly<Record<string, string>>,
): Markup {
  const problem = problems[name];
  return html`<fieldset><legend>${label}</legend>${notesOf(name, help, problem)}${content}</fieldset>`;
}

/** A field of several lines. */
function area(
  { name }: FormField,
  label: string,
  { value, help, error }: { value: string; help: string | undefined; error: string | undefined },
): Markup {
  return html`<div class="field"><label for="${name}">${label}</label><textarea id="${name}" name="${name}" rows="4" spellcheck="false"${described(name, help, error)}>${escaped(value)}</textarea>${notesOf(name, help, error)}</div>`;
}
