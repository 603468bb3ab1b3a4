import type { OpenApiDocument, Reference, Response, Schema } from './types.ts';

/**
 * A record is a component if at least this many places have it, and its schema has at least this many characters. It is then a
 * type of its own in the code that a generator makes of the document.
 */
const minUses = 4;
const minSchemaCharacters = 500;

/** A part of the document, where it is, and how often it is there. */
interface Part {
  value: object;
  /** Names that places give it, such as `payment`. */
  names: string[];
  uses: number;
}

/**
 * The document with responses and records that several operations share in `components`, and a reference in their place.
 * Each of the two paths of an operation has all of its responses. Such a document has half the bytes. Compression does not do
 * this: DEFLATE finds a repetition within 32 KB only (RFC 1951), and operations with the same record are further apart.
 *
 * An error is named by its status and its codes, such as `404.not_found`; another one with the same codes has a number after
 * it. Another response is named by its operation, such as `get.api.v1.plans.200`. A record is named as properties name it, such as `Payment`.
 */
export function withSharedParts(document: OpenApiDocument): OpenApiDocument {
  const parts = new Map<string, Part>();
  collect([document.paths, document.webhooks], [], parts);
  const components = Object.assign({}, document.components, {
    schemas: Object.assign({}, document.components.schemas) as Record<string, Schema>,
    responses: Object.assign({}, document.components.responses) as Record<string, Response>,
  });
  const references = new Map<string, Reference>();
  for (const [text, { value, names, uses }] of parts) {
    const [name = ''] = names;
    if (isResponse(value) && uses > 1) {
      const free = freeName(name, components.responses);
      components.responses[free] = value;
      references.set(text, { $ref: `#/components/responses/${free}` });
    } else if (!isResponse(value) && uses >= minUses && name !== '') {
      const free = freeName(`${name.charAt(0).toUpperCase()}${name.slice(1)}`, components.schemas);
      components.schemas[free] = value as Schema;
      references.set(text, { $ref: `#/components/schemas/${free}` });
    }
  }
  const { paths, webhooks } = replaced({ paths: document.paths, webhooks: document.webhooks }, references);
  // A record of a record is a component as well.
  const { schemas, responses } = components;
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withReferences(schema, references);
  for (const [name, response] of Object.entries(responses))
    responses[name] = withReferences(response, references);
  return Object.assign({}, document, { paths, webhooks, components });
}

/** A component with references below it. */
const withReferences = <T extends object>(component: T, references: ReadonlyMap<string, Reference>): T =>
  Object.assign(
    {},
    component,
    Object.fromEntries(Object.entries(component).map(([key, below]) => [key, replaced(below, references)])),
  );

/** Counts the responses of operations and the large records below a value. */
function collect(value: unknown, path: readonly string[], parts: Map<string, Part>): void {
  if (typeof value !== 'object' || value === null) return;
  const name = path.at(-1) ?? '';
  if (isOfOperation(value, path) || isRecord(value)) {
    const text = JSON.stringify(value);
    const part = parts.get(text) ?? { value, names: [], uses: 0 };
    // Events call every record `data`, and lists have `items`.
    const isNamed = path.at(-2) !== 'properties' ? isOfOperation(value, path) : name !== 'data';
    if (isNamed) part.names.push(isOfOperation(value, path) ? responseName(value, path) : name);
    parts.set(text, Object.assign(part, { uses: part.uses + 1 }));
  }
  for (const [key, below] of Object.entries(value)) collect(below, [...path, key], parts);
}

/** The codes of an error are those of its examples. What a receiver of events answers has none. */
const codesOf = ({ content }: Response): string[] =>
  Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
const isResponse = (value: object): value is Response => 'content' in value && 'description' in value;
const isOfOperation = (value: object, path: readonly string[]): value is Response =>
  path.at(-2) === 'responses' && /^\d{3}$/.test(path.at(-1) ?? '') && isResponse(value);

/** @param path ends with the path of the operation, its method, `responses` and the status. */
function responseName(response: Response, path: readonly string[]): string {
  const [address = '', method = '', , status = ''] = path.slice(-4);
  const codes = codesOf(response);
  const operation = [method, ...(address.match(/\w+/g) ?? [])];
  return (codes.length > 0 ? [status, ...codes] : [...operation, status]).join('.');
}
const isObjectSchema = (value: object): boolean =>
  'properties' in value && 'type' in value && value.type === 'object';
const isRecord = (value: object): boolean =>
  isObjectSchema(value) && JSON.stringify(value).length >= minSchemaCharacters;

function freeName(name: string, taken: object): string {
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? name : `${name}.${n}`;
    if (!(free in taken)) return free;
  }
}

/** A value with references in place of the parts that have one. */
function replaced<T>(value: T, references: ReadonlyMap<string, Reference>): T {
  if (typeof value !== 'object' || value === null) return value;
  // To write every value as text would take more time than all the rest.
  const reference =
    isResponse(value) || isObjectSchema(value) ? references.get(JSON.stringify(value)) : undefined;
  if (reference !== undefined) return reference as T;
  if (Array.isArray(value)) return value.map((one) => replaced(one, references)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, below]) => [key, replaced(below, references)]),
  ) as T;
}
