/** The table of `npm run operator`: what its verbs say about the operations that an operator key may call. */
import { defined } from '../../../functions/shared/contract/defined.ts';
import type { Words } from '../../../functions/shared/contract/route.ts';
import { reasonHeader } from '../../../functions/shared/fields/reason.ts';
import { type PlacedOperation, resolved } from '../../openapi/placed-operation.ts';
import type { OpenApiDocument, Parameter, Schema } from '../../openapi/types.ts';
import type { OperationId } from '../api.ts';

/** An operation that an operator key may call, as the command line shows it. */
export interface DescribedOperation {
  readonly id: OperationId;
  readonly summary: string;
  /** Of its query or body. */
  readonly fields: readonly Field[];
  /** Its pages can be CSV. */
  readonly csv?: true;
  /** Its reason is a header. */
  readonly takesReason?: true;
  /** Before it is done. */
  readonly question?: string;
  /** Its response has a secret that is not shown again. */
  readonly secret?: true;
}

export interface Field {
  readonly name: string;
  /** `flag` is true or false, `list` texts, and `json` an object or a list of objects. */
  readonly type: 'text' | 'number' | 'flag' | 'list' | 'json';
  readonly help: string;
  readonly required?: true;
  /** The values of another field with which it is required. */
  readonly requiredWith?: readonly string[];
  readonly oneOf?: readonly string[];
  /** A list that must be sent, and may be empty. */
  readonly orEmpty?: true;
}

/**
 * The text of `lib/operator/operations.ts`. Loading every contract would take more than a second at each start of the program.
 *
 * The same document gives the same text.
 *
 * @param offered the operations of the client.
 * @param words of commands, by the ids of operations. The document has none.
 */
export function operatorFile(
  document: OpenApiDocument,
  offered: readonly PlacedOperation[],
  words: ReadonlyMap<string, Words>,
): string {
  const callable = offered.filter(({ operation }) =>
    operation.security.some((requirement) => 'operatorKey' in requirement),
  );
  const rows = callable.map((one) => `  ${line(rowOf(one, document, words))},\n`);
  const hit = resolved(document, document.components.schemas.SearchHit);
  const kinds = hit?.anyOf?.map(
    (one) => resolved(document, resolved(document, one)?.properties?.kind)?.const,
  );
  return [
    "import type { DescribedOperation } from '../client/package/operator-file.ts';\n",
    '\n/** The operations that an operator key may call. */\n',
    'export const described: readonly DescribedOperation[] = [\n',
    ...rows,
    '];\n\n/** The kinds of records that the search finds. */\n',
    `export const foundKinds = ${line(kinds)} as const;\n`,
  ].join('');
}

const line = (value: unknown) => JSON.stringify(value);

function rowOf({ operation }: PlacedOperation, document: OpenApiDocument, words: ReadonlyMap<string, Words>) {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const body = resolved(document, requestBody?.content['application/json']?.schema);
  const inBody =
    body?.anyOf === undefined ? fieldsOf(document, body) : fieldsOfAlternatives(document, body.anyOf);
  const inQuery = parameters
    .filter((one) => one.in === 'query' && body === undefined)
    .map((one) => fieldOf(document, parameterOf(one)));
  const isCsv = Object.values(responses).some((one) => 'content' in one && 'text/csv' in one.content);
  const ofCommand = words.get(operationId);
  return {
    id: operationId,
    summary: plain(summary),
    fields: [...inQuery, ...inBody],
    ...defined({
      csv: isCsv ? true : undefined,
      takesReason: parameters.some(({ name }) => name === reasonHeader) ? true : undefined,
      question: ofCommand?.question,
      secret: ofCommand !== undefined && ofCommand.notice === undefined ? true : undefined,
    }),
  };
}

const fieldsOf = (document: OpenApiDocument, { properties = {}, required = [] }: Schema = {}) =>
  Object.entries(properties).map(([name, schema]) => fieldOf(document, { name, schema, required }));

/** The fields of each alternative, once. The first field of an alternative tells it from the others. */
function fieldsOfAlternatives(document: OpenApiDocument, alternatives: readonly (Schema | boolean)[]) {
  const each = alternatives.map((one) => fieldsOf(document, resolved(document, one)));
  const byName = Map.groupBy(each.flat(), ({ name }) => name);
  return [...byName].map(([name, [first, ...others]]) => {
    const needing = each.filter((fields) => fields.some((one) => one.name === name && one.required));
    const isNeeded = needing.length === each.length;
    const { required: _, ...field } = Object.assign({}, first, ...others);
    const values = [first, ...others].flatMap((one) => one?.oneOf ?? []);
    const requiredWith = needing.flatMap(([kind]) => kind?.oneOf ?? []);
    return {
      ...field,
      ...defined({
        oneOf: values.length === 0 ? undefined : [...new Set(values)],
        required: isNeeded ? true : undefined,
        requiredWith: isNeeded || needing.length === 0 ? undefined : requiredWith,
      }),
    };
  });
}

const parameterOf = ({ name, schema, description, required }: Parameter) => ({
  name,
  schema: { ...schema, ...defined({ description }) },
  required: required ? [name] : [],
});

/** A list that may be empty is an option that may be left out. */
function fieldOf(
  document: OpenApiDocument,
  { name, schema, required }: { name: string; schema: Schema | boolean; required: readonly string[] },
) {
  const found = resolved(document, schema) ?? {};
  const described = typeof schema === 'object' ? schema : {};
  const item = resolved(document, found.items);
  const type = typeOf(found, item);
  const isNeeded = required.includes(name);
  const isEmptied = isNeeded && type === 'list' && !found.minItems;
  const values =
    found.enum ??
    item?.enum ??
    (typeof found.const === 'string' && found.const !== 'true' ? [found.const] : undefined);
  return {
    name,
    type,
    help: plain([described.description ?? found.description, defaultOf(found)].filter(Boolean).join(' ')),
    ...defined({
      oneOf: values?.map(String),
      required: isNeeded && !isEmptied ? true : undefined,
      orEmpty: isEmptied ? true : undefined,
    }),
  };
}

function typeOf({ type, const: only, anyOf }: Schema, item: Schema | undefined): Field['type'] {
  if (type === 'boolean' || only === 'true') return 'flag';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'array') return item?.type === 'string' ? 'list' : 'json';
  const isText = type === 'string' || anyOf?.some((one) => typeof one === 'object' && one.type === 'string');
  return isText ? 'text' : 'json';
}

function defaultOf({ default: value, description = '' }: Schema): string | undefined {
  if (value === undefined || value === '' || Array.isArray(value) || /default/i.test(description))
    return undefined;
  return `Default: ${String(value)}.`;
}

/** Text of the document on one line, without its markup. */
const plain = (text: string) =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ');
