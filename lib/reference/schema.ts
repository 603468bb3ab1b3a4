import { resolved } from '../openapi/placed-operation.ts';
import type { MediaType, OpenApiDocument, Response, Schema } from '../openapi/types.ts';
import { code, escaped, inlineMarkdown, list } from './markup.ts';

type Schemas = Readonly<Record<string, Schema>>;

const nameOf = (reference: string) => reference.split('/').at(-1) ?? '';

/**
 * The objects that a part of a page refers to, and those that they refer to, as sections with the ids of the references.
 *
 * @param markup of the part.
 */
export function objectsMarkup(markup: string, schemas: Schemas): string {
  const sections = new Map<string, string>();
  const add = (text: string) => {
    for (const [, name = ''] of text.matchAll(/href="#schema-(\w+)"/g)) {
      if (sections.has(name)) continue;
      sections.set(name, '');
      const section = schemaMarkup(schemas[name] ?? {});
      sections.set(name, `<section class="object" id="schema-${name}"><h3>${name}</h3>${section}</section>`);
      add(section);
    }
  };
  add(markup);
  const all = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, section]) => section);
  return all.length === 0 ? '' : `<section id="objects"><h2>Objects</h2>${all.join('\n')}</section>`;
}

/** The type of a value, and its fields, as HTML. */
export function schemaMarkup(schema: Schema | boolean): string {
  const facts = factsOf(schema);
  return `<p class="facts">${facts.join(', ')}</p>${partsOf(schema)}`;
}

/** The fields of an object or of the items of an array, and the alternatives of a union; nothing for any other value. */
function partsOf(schema: Schema | boolean): string {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return '';
  const { properties = {}, required = [], items, anyOf, additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, field]) =>
    fieldMarkup(name, field, required.includes(name)),
  );
  if (typeof additionalProperties === 'object') {
    fields.push(`<span class="name">any other field</span>${described(additionalProperties)}`);
  }
  const alternatives = (anyOf ?? []).map((one) => schemaMarkup(one));
  const inner = items !== undefined && !Array.isArray(items) ? partsOf(items) : '';
  return list(fields, 'fields') + list(alternatives, 'alternatives') + inner;
}

/** A field of an object, or a parameter of a request. */
export function fieldMarkup(
  name: string,
  schema: Schema | boolean,
  isRequired: boolean,
  description?: string,
  where?: string,
): string {
  const need = isRequired ? ' <strong class="required">required</strong>' : '';
  const facts = where === undefined ? '' : ` <span class="facts">${where},</span>`;
  return `<span class="name">${code(name)}</span>${need}${facts}${described(schema, description)}`;
}

function described(schema: Schema | boolean, description?: string): string {
  const own = typeof schema === 'object' ? schema.description : undefined;
  const text = description ?? own;
  const paragraph = text === undefined ? '' : `<p>${inlineMarkdown(text)}</p>`;
  return ` <span class="facts">${factsOf(schema).join(', ')}</span>${paragraph}${partsOf(schema)}`;
}

/** The objects that have a page of their own, from the pages beside it. */
const pages: Readonly<Record<string, string>> = { Event: 'events' };

/** The type of a value and its limits, each as HTML. */
function factsOf(schema: Schema | boolean): string[] {
  if (typeof schema === 'boolean') return ['any value'];
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return [`<a href="${pages[name] ?? `#schema-${escaped(name)}`}">${escaped(name)}</a>`];
  }
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return [
    typeOf(schema),
    ...(schema.format === undefined ? [] : [escaped(schema.format)]),
    ...(values.length > 0 ? [`one of ${values.map((value) => code(JSON.stringify(value))).join(' ')}`] : []),
    ...range(schema.minLength, schema.maxLength, 'characters'),
    ...range(schema.minItems, schema.maxItems, 'items'),
    ...range(schema.minimum, schema.maximum, ''),
    ...(schema.exclusiveMinimum === undefined ? [] : [`more than ${schema.exclusiveMinimum}`]),
    ...(schema.pattern === undefined ? [] : [`pattern ${code(schema.pattern)}`]),
    ...(schema.contentMediaType === undefined ? [] : [escaped(schema.contentMediaType)]),
    ...(schema.default === undefined ? [] : [`default ${code(JSON.stringify(schema.default))}`]),
  ];
}

function typeOf({ type, items, anyOf, enum: values, const: value }: Schema): string {
  if (type === 'array' && items !== undefined && !Array.isArray(items)) {
    return `array of ${factsOf(items)[0] ?? 'values'}`;
  }
  if (type !== undefined) return [type].flat().join(' or ');
  if (anyOf !== undefined) return 'one of these';
  return values === undefined && value === undefined ? 'any value' : 'value';
}

/** Zod writes the bounds of safe integers where the contract sets none. */
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const suffix = unit === '' ? '' : ` ${unit}`;
  const low = isBound(least) ? least.toLocaleString('en') : undefined;
  const high = isBound(most) ? most.toLocaleString('en') : undefined;
  if (low !== undefined && high !== undefined) return [`${low} to ${high}${suffix}`];
  if (high !== undefined) return [`up to ${high}${suffix}`];
  return low === undefined ? [] : [`at least ${low}${suffix}`];
}

/** A response with its fields, closed until the reader opens it. */
export function responseMarkup(
  status: string,
  { description, headers = {}, content }: Response,
  published: OpenApiDocument,
): string {
  const names = Object.keys(headers).map(code);
  return [
    `<details><summary><span class="status s${escaped(status.slice(0, 1))}">${escaped(status)}</span> ${inlineMarkdown(description)}</summary>`,
    contentMarkup(content, published),
    names.length > 0 ? `<p class="facts">Headers: ${names.join(', ')}</p>` : '',
    '</details>',
  ].join('');
}

/** The media types of a body. */
export function contentMarkup(
  content: Readonly<Record<string, MediaType<unknown>>>,
  document: OpenApiDocument,
): string {
  return Object.entries(content)
    .map(
      ([type, { schema }]) =>
        `<p class="facts">${code(type)}</p>${schemaMarkup(resolved(document, schema) ?? {})}`,
    )
    .join('');
}
