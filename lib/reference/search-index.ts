import { errorTable } from '../../functions/shared/contract/errors.ts';
import type { PlacedOperation } from '../openapi/placed-operation.ts';
import type { OpenApiDocument, Schema } from '../openapi/types.ts';
import { errorsOf, errorText } from './errors.ts';
import { eventsOf } from './events-page.ts';
import { type Guide, guideSummary, guideTitle } from './guides.ts';
import type { SearchEntry } from './script/search.ts';
import { type Group, titleOf } from './titles.ts';

/** The entries of the search: operations, guides, events, errors and the sections of the first page. */
export function searchIndex(
  document: OpenApiDocument,
  groups: readonly Group[],
  guides: readonly Guide[],
  inline: OpenApiDocument,
): SearchEntry[] {
  return [
    ...groups.flatMap(({ name, title, operations }) => [
      entry(title, `docs/${name}`, 'page'),
      ...operations.map((placed) => operationEntry(name, placed, inline)),
    ]),
    ...guides.map((guide) =>
      entry(guideTitle(guide), `docs/${guide.name}`, 'guide', { words: guideSummary(guide) }),
    ),
    ...eventsOf(document).map(([type, { summary }]) =>
      entry(type, `docs/events#event.${type}`, 'event', { words: summary }),
    ),
    ...usedErrors(groups).map((code) => {
      const row = errorTable[code];
      return entry(row.error, `docs/errors#error-${code}`, `error ${row.status}`, { words: errorText(row) });
    }),
    entry('Conventions', 'docs#conventions', 'page', {
      words: 'rate limits pages texts times ids errors webhooks idempotency',
    }),
    entry('Authentication', 'docs#authentication', 'page', {
      words: Object.keys(document.components.securitySchemes).join(' '),
    }),
    entry('The contract', 'docs#contract', 'page'),
    entry('Events', 'docs/events', 'page', { words: 'webhooks types' }),
    entry('Errors', 'docs/errors', 'page', { words: 'codes gateway' }),
  ];
}

const entry = (
  title: string,
  link: string,
  kind: string,
  { fields = '', words = '', errors = '' }: Partial<Record<'fields' | 'words' | 'errors', string>> = {},
): SearchEntry => [title, link, kind, fields, words, errors];

const usedErrors = (groups: readonly Group[]) => [
  ...new Set(
    groups.flatMap(({ operations }) =>
      operations.flatMap(({ operation }) => errorsOf(operation).map((one) => one.code)),
    ),
  ),
];

function operationEntry(
  group: string,
  { method, path, operation }: PlacedOperation,
  inline: OpenApiDocument,
): SearchEntry {
  const own = inline.paths[path]?.[method.toLowerCase()] ?? operation;
  const { operationId, summary, 'x-aliases': aliases = [], parameters = [], requestBody, responses } = own;
  const names = new Set(parameters.map(({ name }) => name));
  for (const { schema } of Object.values(requestBody?.content ?? {})) collect(schema, names);
  for (const [status, response] of Object.entries(responses))
    if (status.startsWith('2') && !('$ref' in response))
      for (const { schema } of Object.values(response.content)) collect(schema, names);
  return entry(titleOf(operationId), `docs/${group}#${operationId}`, `${method} ${path}`, {
    fields: [operationId, ...aliases, ...names].join(' '),
    words: summary,
    errors: [
      ...new Set(
        errorsOf(operation)
          .map(({ code }) => errorTable[code].error)
          .filter((code) => /^[a-z_]+$/.test(code)),
      ),
    ].join(' '),
  });
}

/** Adds the names of all fields of a schema. */
function collect(schema: Schema, names: Set<string>): void {
  const { properties = {}, items, anyOf = [] } = schema;
  for (const [name, field] of Object.entries(properties)) {
    names.add(name);
    if (typeof field === 'object') collect(field, names);
  }
  if (typeof items === 'object' && !Array.isArray(items)) collect(items, names);
  for (const one of anyOf) if (typeof one === 'object') collect(one, names);
}
