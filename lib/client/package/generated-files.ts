/** The sources that follow from the OpenAPI document: for `vouchsafe-client/api` the types of all operations and a row of data for each; the table of `npm run operator`. */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { errorTable, gatewayErrors } from '../../../functions/shared/contract/errors.ts';
import type { Words } from '../../../functions/shared/contract/route.ts';
import { openApiDocument } from '../../openapi/openapi.ts';
import { operationIdOf } from '../../openapi/operation-id.ts';
import { operationsOf, type PlacedOperation, resolved } from '../../openapi/placed-operation.ts';
import type { OpenApiDocument, Operation, Schema } from '../../openapi/types.ts';
import type { OperationRow } from '../api/operation-row.ts';
import { operatorFile } from './operator-file.ts';

/** The list of an operation that has pages and more than one list. */
const pagedLists: Readonly<Record<string, string>> = { getReview: 'history' };
/** A second request would not get the answer to the first one. */
const readOnce: ReadonlySet<string> = new Set(['openShare']);
/** Requests of other services. */
const foreign: ReadonlySet<string> = new Set(['receiveStripeEvent']);
/** The prefixes of keys, by their schemes. */
const prefixes: Readonly<Record<string, string>> = {
  apiKey: 'vak',
  clientSecret: 'vcs',
  operatorKey: 'vok',
  accessToken: 'vat',
};

/** The texts of the sources, by their paths in the project. The same contracts give the same texts. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const document = openApiDocument({ version: '' });
  const offered = operationsOf(document).filter(
    ({ operation }) =>
      contentsOf(operation)['application/json'] !== undefined && !foreign.has(operation.operationId),
  );
  const rows = offered.map((one) => [one.operation.operationId, rowOf(one, document)] as const);
  return new Map([
    ['lib/client/api/schema.ts', await schemaFile(document, offered, rows)],
    ['lib/client/api/operations.ts', operationsFile(rows)],
    ['lib/operator/operations.ts', operatorFile(document, offered, commandWords())],
  ]);
}

/** The words of commands, by the ids of operations. */
const commandWords = (): ReadonlyMap<string, Words> =>
  new Map(
    registeredRoutes().flatMap((one: Registered) =>
      one.route.words === undefined ? [] : [[operationIdOf(one), one.route.words] as const],
    ),
  );

function operationsFile(rows: readonly (readonly [string, OperationRow])[]): string {
  const lines = rows.map(([id, row]) => `  ${id}: ${JSON.stringify(row)},\n`);
  return `import type { OperationRow } from './operation-row.ts';\nimport type { OperationId } from './types.ts';\n\nexport const operations: Readonly<Record<OperationId, OperationRow>> = {\n${lines.join('')}};\n`;
}

/** @throws Error for an operation whose arguments cannot be one object. */
function rowOf({ method, path, operation }: PlacedOperation, document: OpenApiDocument): OperationRow {
  const { operationId: id, parameters = [], requestBody, security } = operation;
  const form = requestBody?.content['application/x-www-form-urlencoded'];
  const body = requestBody && resolved(document, (form ?? requestBody.content['application/json'])?.schema);
  const fields = Object.keys(body?.properties ?? {});
  const named = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name);
  const lost = [
    ...named('path').filter((name) => fields.includes(name)),
    ...named('query').filter((name) => body !== undefined && !fields.includes(name)),
  ];
  if (lost.length > 0) throw new Error(`${id} has parameters that its body hides: ${lost.join(', ')}`);
  const bearers = security.map((requirement) =>
    Object.keys(requirement).flatMap((scheme) => prefixes[scheme] ?? []),
  );
  const cursor = named('query').find((name) => name === 'cursor' || name === 'after');
  const list =
    cursor && listOf(id, resolved(document, contentsOf(operation)['application/json']?.[0]), document);
  return Object.assign(
    { method, path, keys: [...new Set(bearers.flat())] },
    bearers.some((schemes) => schemes.length === 0) && { optionalKey: true },
    security.some(({ operatorKey, applicationId }) => operatorKey && applicationId) && { actsFor: true },
    named('header').includes('idempotency-key') && { idempotent: true },
    readOnce.has(id) && { once: true },
    form && { form: true },
    list && { list },
    list && cursor === 'after' && { cursor },
  );
}

function listOf(id: string, answer: Schema | undefined, document: OpenApiDocument): string | undefined {
  const { nextCursor, ...properties } = answer?.properties ?? {};
  if (nextCursor === undefined) return undefined;
  const lists = Object.entries(properties).flatMap(([name, schema]) =>
    resolved(document, schema)?.type === 'array' ? [name] : [],
  );
  return lists.length > 1 ? pagedLists[id] : lists[0];
}

/** The schemas of the answers that are a success, by media type. */
function contentsOf({ responses }: Operation): Record<string, Schema[]> {
  const bodies = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') && 'content' in response ? Object.entries(response.content) : [],
  );
  const schemas = [...Map.groupBy(bodies, ([type]) => type)].map(([type, group]) => {
    const texts = new Set(group.map(([, { schema }]) => JSON.stringify(schema)));
    return [type, [...texts].map((text): Schema => JSON.parse(text))];
  });
  return Object.fromEntries(schemas);
}

/**
 * The types of the named schemas, and one object with the input and the output of each operation. As a schema it has none of the
 * paths, headers and errors that no method of the client returns.
 */
async function schemaFile(
  { openapi, info, components }: OpenApiDocument,
  offered: readonly PlacedOperation[],
  rows: readonly (readonly [string, OperationRow])[],
): Promise<string> {
  const operations = offered.map((one) => [one.operation.operationId, typeOf(one)]);
  const { Error: _, CodedError, OAuthError, ...named } = components.schemas;
  const schemas = Object.assign(named, {
    Operations: objectOf(Object.fromEntries(operations)),
  });
  const source: OpenAPI3 = JSON.parse(
    JSON.stringify({ openapi, info, paths: {}, components: { schemas } }, (name, value) =>
      name === 'examples' ? undefined : value,
    ),
  );
  const text = astToString(
    // A field with a default may be left out.
    await openapiTS(source, { defaultNonNullable: false }),
  );
  const from = text.indexOf('export interface components');
  const lists = rows.flatMap(([id, { list }]) => (list === undefined ? [] : [`    ${id}: "${list}";\n`]));
  return [
    text
      .slice(from, text.indexOf('    responses: never;', from))
      .replace(/ +\/\*\*\s+\* @description discriminator enum [^/]+\*\/\n/g, ''),
    '}\n/** The lists that pages of operations have. */\nexport interface lists {\n',
    ...lists,
    '}\n/** The codes of documented errors. */\nexport type DocumentedErrorCode =\n',
    ...errorCodes().map((code) => `    | "${code}"\n`),
    ';\n',
  ].join('');
}

const objectOf = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** An operation as a type: its input is one object of parameters and body. */
function typeOf({ method, path, operation }: PlacedOperation): object {
  const { summary, parameters = [], requestBody } = operation;
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const used = parameters.filter((one) => one.in === 'path' || (one.in === 'query' && body === undefined));
  const properties = used.map(({ name, description, schema }) => [
    name,
    Object.assign({}, schema, defined({ description })),
  ]);
  const input = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: used.filter(({ required }) => required).map(({ name }) => name),
  };
  const outputs = Object.entries(contentsOf(operation)).map(([type, schemas]) => [
    type,
    schemas.length > 1 ? { anyOf: schemas } : schemas[0],
  ]);
  const fields = objectOf({
    input: body === undefined ? input : { allOf: [...(used.length > 0 ? [input] : []), body] },
    output: objectOf(Object.fromEntries(outputs)),
  });
  return Object.assign(fields, { description: `${summary} \`${method} ${path}\`` });
}

/** The codes of all errors that have one. Those of shares, devices and the vault are sentences. */
function errorCodes(): string[] {
  const codes = Object.values(errorTable).flatMap((row) =>
    'message' in row || 'description' in row ? [row.error] : [],
  );
  return [...new Set([...codes, ...Object.values(gatewayErrors).map(({ error }) => error)])].toSorted();
}
