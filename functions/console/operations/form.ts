/** The form of an operation. */

import { type Route, statesReason } from '../../shared/contract/route.ts';
import { escaped, html, type Markup, raw } from '../../shared/html/markup.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { actsFor, type Command, operationPath } from '../contracts/command.ts';
import {
  actionForm,
  choiceField,
  described,
  hiddenField,
  notesOf,
  reasonField,
  selectField,
  textField,
} from '../pages/blocks.ts';
import type { ConsolePath, Visit } from '../pages/visit.ts';
import { type FormField, fieldsOf } from './fields.ts';
import { type FormValues, isId, isWithin, rowsIn, valueText } from './values.ts';

/** Values of a field, each with its text. */
export interface Choices {
  readonly of: readonly (readonly [value: string, text: string])[];
  /** The label of a field for another value. It counts where it is not empty. */
  readonly other?: string;
}

/** A form as a page has it. */
export interface FormOptions {
  /** The title, where the page names the operation for a record or for some of its values. Also the button. */
  readonly title?: string;
  readonly note?: string;
  /** Fields that the form sends and that nobody sees, such as the ids of the record. */
  readonly fixed?: FormValues;
  /** The values of the other fields. */
  readonly values?: FormValues;
  /** The values with which the form came, where it shows a record. */
  readonly shown?: FormValues | undefined;
  /** `confirm`: the form has shown what it changes. */
  readonly step?: string | undefined;
  /** The values between which people choose, by the names of fields. */
  readonly choices?: Readonly<Record<string, Choices>>;
  /** The problems of the fields, by their names. */
  readonly problems?: Readonly<Record<string, string>>;
  /** The idempotency key of a form that is shown again. */
  readonly once?: string;
  /** The page that follows. */
  readonly next: ConsolePath;
}

const required = (field: FormField): FormField => Object.assign({}, field, { isRequired: true });

/** The fields of the path and of the body of an operation. A final operation needs a choice for each flag. */
export const inputFields = ({ params, body, finalByDefault }: Route): FormField[] => [
  ...fieldsOf(params, 'path'),
  ...fieldsOf(body, 'body').map((field) =>
    finalByDefault && field.kind === 'flag' ? required(field) : field,
  ),
];

const applicationField: FormField = {
  isRemovable: false,
  defaultValue: undefined,
  kind: 'text',
  name: 'applicationId',
  label: 'Application id',
  help: undefined,
  isRequired: true,
  maxLength: 256,
};

/** The name of a field of the path or the body, without that of its part. */
const wholeName = (name: string) => name.split('.').slice(0, 2).join('.');

/** The form of an operation. Its fields, with their help, follow from the contract. */
export function operationForm(
  visit: Visit,
  { service, name, route, words }: Command,
  given: FormOptions,
): Markup {
  const { fixed = {}, values = {}, choices = {}, problems = {}, title = words.title, note, next } = given;
  const { once = randomToken(), shown, step } = given;
  const fixedNames = [...new Set(Object.keys(fixed).map(wholeName))].join(' ');
  const asShown = shown && JSON.stringify(shown);
  const sent = Object.assign({}, fixed, {
    once,
    fixed: fixedNames,
    shown: asShown,
    step,
    title,
    operation: name,
    page: next,
  });
  const hidden = Object.entries(sent).flatMap(([one, value]) =>
    value === undefined ? [] : [hiddenField(one, value)],
  );
  const ids = Object.entries(fixed).flatMap(([one, value = '']) => (isId(one) ? value : []));
  const formId = [title, ...ids].join('-').replaceAll(/[^\w-]/g, '_');
  const form = { formId, values, problems, shown };
  const fields = inputFields(route)
    .filter((field) => !isFixed(field, fixed))
    .map((field) => {
      const ofPage = choices[field.name];
      if (ofPage !== undefined) return choiceOf(field, ofPage, form);
      return control(field.name === 'body.reason' ? required(field) : field, form);
    });
  const application =
    actsFor(route) && fixed.applicationId === undefined ? [control(applicationField, form)] : [];
  const showsFirst = words.preview !== undefined && step !== 'confirm';
  const reason =
    statesReason(route) || showsFirst
      ? ''
      : reasonField(`${formId}-reason`, { value: values.reason, error: problems.reason });
  const button = html`<div class="actions"><button type="submit">${showsFirst ? words.preview : title}</button></div>`;
  const content = html`<p class="note">${note ?? words.question ?? route.summary}</p>${hidden}${application}${fields}${reason}${button}`;
  return actionForm(visit, `/console/operations/${service}`, content);
}

/** The form of an operation behind its title, as pages of records have it. */
export function operationDetails(visit: Visit, command: Command, given: FormOptions): Markup {
  const { title = command.words.title } = given;
  return html`<details><summary>${title}</summary>${operationForm(visit, command, given)}</details>\n`;
}

/** The address of the form of an operation, from which a person comes back to the page. @param fields that it comes with. */
export const operationHref = (
  { href, path }: Visit,
  service: string,
  name: string,
  fields: FormValues,
): Markup => href(operationPath(service, name, Object.assign({}, fields, { page: path })));

/** A link to it. */
export const operationLink = (
  visit: Visit,
  service: string,
  name: string,
  title: string,
  fields: FormValues,
): Markup => html`<a href="${operationHref(visit, service, name, fields)}">${title}</a>`;

const isFixed = ({ name }: FormField, fixed: FormValues): boolean => isWithin(Object.keys(fixed), name);

/** A form as it is filled in. */
interface FormState {
  /** Unique in the page. */
  readonly formId: string;
  readonly values: FormValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly shown: FormValues | undefined;
}

/** A field as people fill it in. */
function control(field: FormField, form: FormState): Markup {
  const { name, label, isRequired, kind } = field;
  const help = helpOf(field);
  const { formId, values, problems, shown } = form;
  const more = {
    id: `${formId}-${name}`,
    value: values[name] ?? '',
    isRequired,
    help,
    error: problems[name],
  };
  const asked = isRequired || shown !== undefined ? label : `${label} (optional)`;
  switch (kind) {
    case 'text':
      // A field of one line drops the line ends.
      if (more.value.includes('\n')) return area(field, asked, form);
      return textField(name, asked, Object.assign(more, { maxLength: field.maxLength ?? 2_048 }));
    case 'number':
      return textField(name, asked, Object.assign(more, { maxLength: 20 }));
    case 'time':
      return textField(name, `${asked}, UTC`, Object.assign(more, { type: 'datetime-local' as const }));
    case 'flag':
      return selectField(
        name,
        asked,
        Object.assign(more, { choices: optionsOf(field, ['yes', 'no'], shown) }),
      );
    case 'choice':
      return selectField(
        name,
        asked,
        Object.assign(more, { choices: optionsOf(field, field.choices, shown) }),
      );
    case 'choices':
      return group(
        field,
        field.choices.map((choice) => checkbox(`${name}.${choice}`, choice, values)),
        form,
      );
    case 'lines':
      return area(field, `${asked}, one in each line`, form);
    case 'json':
      return area(field, `${asked}, JSON`, form);
    case 'group':
      return group(field, controls(field.fields, form), form);
    case 'rows':
      return group(field, rowsOf(field, form), form);
  }
}

/** The objects of a list, and room for two more. */
function rowsOf(field: Extract<FormField, { kind: 'rows' }>, form: FormState): Markup[] {
  const { name, label, row } = field;
  return Array.from({ length: rowsIn(name, form.values) + 2 }, (_, n) =>
    group(
      Object.assign({}, field, { name: `${name}.${n}`, label: `${label} ${n + 1}`, help: undefined }),
      controls(row(n), form),
      form,
    ),
  );
}

/** The fields within another one. A browser requires none: the whole may be left out. */
const controls = (fields: readonly FormField[], form: FormState) =>
  fields.map((field) => control(Object.assign({}, field, { isRequired: false }), form));

const optionsOf = (
  { name, isRequired, isRemovable, defaultValue }: FormField,
  choices: readonly string[],
  shown: FormValues = {},
) => {
  const all = choices.map((choice) => [choice, choice.replaceAll('_', ' ')] as const);
  const none = defaultValue === undefined ? '' : 'as the default';
  const needsOne = isRequired || (shown[name] !== undefined && !isRemovable);
  return needsOne ? all : [['', none] as const, ...all];
};

const checkbox = (name: string, text: string, values: FormValues) =>
  html`<label><input type="checkbox" name="${name}"${values[name] === undefined ? '' : raw(' checked')}> ${text}</label>`;

/** A field whose values the page knows. */
function choiceOf(
  { name, label }: FormField,
  { of, other }: Choices,
  { formId, values, problems }: FormState,
): Markup {
  const value = values[name] ?? '';
  const id = `${formId}-${name}`;
  if (other === undefined) return selectField(name, label, { id, choices: of, value, error: problems[name] });
  const text = textField(`${name}.other`, other, {
    id,
    value: values[`${name}.other`] ?? '',
    isRequired: of.length === 0,
    error: problems[name],
  });
  if (of.length === 0) return text;
  return html`${choiceField(name, label, { choices: [...of, ['', other]], value })}${text}`;
}

function group(field: FormField, content: Markup[], { formId, problems }: FormState): Markup {
  const { name, label } = field;
  const notes = notesOf(`${formId}-${name}`, helpOf(field), problems[name]);
  if (field.kind === 'group' && field.isFolded) {
    const isOpen = isWithin(Object.keys(problems), name);
    return html`<details${isOpen ? raw(' open') : ''}><summary>${label}</summary>${notes}${content}</details>`;
  }
  return html`<fieldset><legend>${label}</legend>${notes}${content}</fieldset>`;
}

/** The help of a field, with what counts without a value. */
function helpOf({ help, defaultValue }: FormField): string | undefined {
  if (defaultValue === undefined || defaultValue === '') return help;
  return [help, `Default: ${valueText(defaultValue)}.`].filter(Boolean).join(' ');
}

/** A field of several lines. */
function area(field: FormField, label: string, { formId, values, problems }: FormState): Markup {
  const { name } = field;
  const help = helpOf(field);
  const id = `${formId}-${name}`;
  const error = problems[name];
  return html`<div class="field"><label for="${id}">${label}</label><textarea id="${id}" name="${name}" rows="4" spellcheck="false"${described(id, help, error)}>${escaped(values[name] ?? '')}</textarea>${notesOf(id, help, error)}</div>`;
}
