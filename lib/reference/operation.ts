import type { OperationRow } from '../client/api/operation-row.ts';
import { operations } from '../client/api/operations.ts';
import { exampleValue } from '../openapi/example-value.ts';
import { contractTag } from '../openapi/paths.ts';
import type { PlacedOperation } from '../openapi/placed-operation.ts';
import type { OpenApiDocument, Operation } from '../openapi/types.ts';
import { errorRows } from './errors.ts';
import { callExample, listExample } from './examples/client.ts';
import { curlExample } from './examples/curl.ts';
import { pythonExample } from './examples/python.ts';
import { reasonNotToRun } from './examples/reasons-not-to-run.ts';
import { type ExampleRequest, exampleRequest } from './examples/request.ts';
import { eventsAfter } from './following-events.ts';
import { code, codeBlock, escaped, inlineMarkdown, list, markdown } from './markup.ts';
import { contentMarkup, fieldMarkup, responseMarkup } from './schema.ts';
import { linkFrom, type Origin, type Place } from './site.ts';
import { titleOf } from './titles.ts';

/** A device presents them beside its other proofs, if it has them. */
const ofDevices: ReadonlySet<string> = new Set(['deviceToken', 'deviceKey']);

/** Who has the credentials of a requirement. */
const callers: Readonly<Record<string, string>> = {
  '': 'anybody',
  clientSecret: 'an application with its client secret',
  accessToken: 'an application for a user, with an access token',
  apiKey: 'an application with its API key',
  operatorKey: 'an operator',
  'operatorKey applicationId': 'an operator for an application',
  'deviceId authHash': 'a trusted device with the proof of the master password',
  'deviceId accessToken': 'a trusted device with an access token',
};

/** Who may call an operation, in a sentence, with links to how they authenticate. */
function callersMarkup({ security }: Operation, place: Place): string {
  const requirements = security.length === 0 ? [{}] : security;
  const kinds = requirements.map((one) =>
    Object.keys(one)
      .filter((name) => !ofDevices.has(name))
      .join(' '),
  );
  const who = [...new Set(kinds)].map((kind) => callers[kind] ?? kind).join(', or ');
  const names = [...new Set(requirements.flatMap((one) => Object.keys(one)))];
  const links = names.map(
    (name) => `<a href="${linkFrom(place, undefined, `auth-${name}`)}">${escaped(name)}</a>`,
  );
  const sentence = `${who.charAt(0).toUpperCase()}${who.slice(1)}.`;
  return `<p>${sentence}${links.length > 0 ? ` See ${links.join(', ')}.` : ''}</p>`;
}

/** The document in its two forms. */
export interface Documents {
  readonly published: OpenApiDocument;
  /** With objects in place of references to them, for examples. */
  readonly inline: OpenApiDocument;
}

export const endpointMarkup = ({ method, path }: Pick<PlacedOperation, 'method' | 'path'>): string =>
  `<span class="method ${method.toLowerCase()}">${method}</span> ${code(path)}`;

/** An operation as a section of its page. Its `id` is that of the operation. */
export function operationMarkup(
  placed: PlacedOperation,
  { published, inline }: Documents,
  place: Place,
  origin: Origin,
): string {
  const { method, path, operation } = placed;
  const {
    operationId,
    summary,
    description,
    parameters = [],
    requestBody,
    tags,
    'x-aliases': aliases = [],
  } = operation;
  const schemes = published.components.securitySchemes;
  const own = inline.paths[path]?.[method.toLowerCase()] ?? operation;
  const request = exampleRequest(method, path, own, schemes);
  const part = (title: string, content: string) => (content === '' ? '' : `<h3>${title}</h3>${content}`);
  const inputs = parameters.map(({ name, in: where, required, schema, description: text }) =>
    fieldMarkup(name, schema, required, text, `in the ${where}`),
  );
  const id = escaped(operationId);
  const run = runMarkup[origin](operation, request);
  return [
    `<article id="${id}"${run.attribute}><div class="text">`,
    `<h2><a href="#${id}">${escaped(titleOf(operationId))}</a></h2>`,
    `<p class="endpoint">${endpointMarkup(placed)}</p>`,
    ...aliases.map((other) => `<p class="endpoint">also at ${code(other)}</p>`),
    `<p class="summary">${inlineMarkdown(summary)}</p>`,
    description === undefined ? '' : markdown(description),
    tags.includes(contractTag.name)
      ? `<p>Part of <a href="${linkFrom(place, undefined, 'contract')}">the contract</a>.</p>`
      : '',
    part('Who may call it', callersMarkup(operation, place)),
    part('Parameters', list(inputs, 'fields')),
    requestBody === undefined ? '' : part('Body', contentMarkup(requestBody.content, published)),
    part('Answer', answersMarkup(operation, published)),
    part('Errors', errorRows(operation, place)),
    part('Events that follow', followingMarkup(operationId, place)),
    '</div><div class="code">',
    languagesMarkup(operationId, {
      curl: curlExample(request),
      ...clientText(operationId, request),
      Python: pythonExample(request),
    }),
    run.note,
    answerExample(own),
    '</div></article>',
  ].join('');
}

/** The request that the script of the page sends, or why it cannot. */
const runMarkup: Readonly<
  Record<Origin, (operation: Operation, request: ExampleRequest) => { attribute: string; note: string }>
> = {
  deployed: () => ({ attribute: '', note: '' }),
  local: (operation, request) => {
    const reason = reasonNotToRun(operation);
    return reason === undefined
      ? { attribute: ` data-request="${escaped(JSON.stringify(request))}"`, note: '' }
      : { attribute: '', note: `<p class="facts">This example cannot be run here. ${escaped(reason)}</p>` };
  },
};

const offered: ReadonlyMap<string, OperationRow> = new Map(Object.entries(operations));

/** The client has the operations that answer with data. */
function clientText(id: string, request: ExampleRequest) {
  const row = offered.get(id);
  if (row === undefined) return {};
  return { TypeScript: row.list === undefined ? callExample(id, request) : listExample(id, request) };
}

/** The examples with their languages, of which one is shown where the browser can choose. */
function languagesMarkup(id: string, examples: Readonly<Record<string, string>>): string {
  const names = Object.keys(examples);
  const choices = names.map(
    (name, i) =>
      `<label><input type="radio" name="language-${escaped(id)}" value="${name}"${i === 0 ? ' checked' : ''}>${name}</label>`,
  );
  const blocks = names.map((name) =>
    codeBlock(examples[name] ?? '', ` class="example ${name.toLowerCase()}"`),
  );
  return `<fieldset class="languages"><legend>Example: ${escaped(titleOf(id))}</legend>${choices.join('')}</fieldset>${blocks.join('')}`;
}

function followingMarkup(id: string, place: Place): string {
  const links = eventsAfter(id).map(
    (type) => `<a href="${linkFrom(place, 'events', `event.${type}`)}">${code(type)}</a>`,
  );
  return links.length === 0 ? '' : `<p class="events">${links.join(' ')}</p>`;
}

const isSuccess = ([status]: [string, unknown]) => /^[123]/.test(status);

/** The responses that are no errors. */
function answersMarkup({ responses }: Operation, published: OpenApiDocument): string {
  return Object.entries(responses)
    .filter(isSuccess)
    .map(([status, response]) => ('$ref' in response ? '' : responseMarkup(status, response, published)))
    .join('');
}

function answerExample({ responses }: Operation): string {
  const [status, response] = Object.entries(responses).find(isSuccess) ?? [];
  if (status === undefined || response === undefined || '$ref' in response) return '';
  const media = response.content['application/json'];
  if (media === undefined) return '';
  const text = JSON.stringify(exampleValue(media.schema, 'required'), undefined, 2);
  return `<details class="answer" open><summary>An answer, ${escaped(status)}</summary>${codeBlock(text)}</details>`;
}
