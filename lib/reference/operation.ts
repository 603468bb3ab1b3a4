import { contractTag } from '../openapi/contract.ts';
import { exampleValue } from '../openapi/example-value.ts';
import type { PlacedOperation } from '../openapi/placed-operation.ts';
import type {
  Example,
  Header,
  MediaType,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
  Schema,
  WebhookOperation,
} from '../openapi/types.ts';
import { curlCommand } from './examples.ts';
import { code, codeBlock, escaped, inlineMarkdown, list, markdown } from './markup.ts';
import { fieldMarkup, schemaMarkup } from './schema.ts';

/** An operation as a section of the page. Its `id` is that of the operation. */
export function operationMarkup(
  { method, path, operation }: PlacedOperation,
  document: OpenApiDocument,
): string {
  const { operationId, summary, description, parameters = [], requestBody, tags } = operation;
  const schemes = document.components.securitySchemes ?? {};
  const part = (title: string, content: string) => (content === '' ? '' : `<h4>${title}</h4>${content}`);
  const inputs = parameters.map(
    ({ name, in: place, required, schema, description: text }) =>
      `${fieldMarkup(name, schema, required, text)} <span class="place">in the ${place}</span>`,
  );
  const command = curlCommand(method, path, operation, schemes);
  const head = [
    `<article id="${escaped(operationId)}" data-operation>`,
    `<h3><a href="#${escaped(operationId)}"><span class="method ${method.toLowerCase()}">${method}</span> ${code(path)}</a></h3>`,
    `<p class="summary">${inlineMarkdown(summary)}</p>`,
    tags.includes(contractTag.name) ? '<p>Part of <a href="#contract">the contract</a>.</p>' : '',
  ].join('');
  return [
    head,
    description === undefined ? '' : markdown(description),
    part('Authentication', authentication(operation)),
    part('Parameters', list(inputs, 'fields')),
    requestBody === undefined ? '' : part('Request body', contentMarkup(requestBody.content)),
    part('Example', codeBlock(command, ` class="curl" data-of="${escaped(operationId)}"`)),
    part('Responses', responsesMarkup(operation)),
    '</article>',
  ].join('');
}

/** How any event is delivered. */
export function deliveryMarkup({ description = '', parameters = [], responses }: WebhookOperation): string {
  const headers = parameters.map(
    ({ name, required, schema, description }) =>
      `${fieldMarkup(name, schema, required, description)}${exampleText(schema)}`,
  );
  // A status in digits is a key that comes first: `2XX` belongs before `410`.
  const statuses = ['2XX', ...Object.keys(responses).filter((status) => status !== '2XX')];
  const answers = statuses.map((status) => answerMarkup(status, responses[status]));
  return [
    `<h3>Headers</h3><p>${inlineMarkdown(description)}</p>`,
    list(headers, 'fields'),
    '<h3>Answers</h3>',
    list(answers, 'fields'),
  ].join('');
}

/** A type of event, whose body is closed until the reader opens it. */
export function eventMarkup(type: string, { summary, value }: Example<unknown>, schema: Schema): string {
  return [
    `<article id="event.${escaped(type)}">`,
    `<h3><a href="#event.${escaped(type)}">${code(type)}</a></h3>`,
    `<p class="summary">${inlineMarkdown(summary)}</p>`,
    '<details><summary>Body</summary>',
    `${schemaMarkup(schema)}${codeBlock(JSON.stringify(value))}`,
    '</details></article>',
  ].join('');
}

function answerMarkup(status: string, response: Response | Reference | undefined): string {
  const description = response && 'description' in response ? response.description : '';
  return `<span class="status s${escaped(status.slice(0, 1))}">${escaped(status)}</span> ${inlineMarkdown(description)}`;
}

function exampleText(schema: Parameter['schema']): string {
  const [example] = schema.examples ?? [];
  return typeof example === 'string' ? ` ${code(example)}` : '';
}

/** Each requirement suffices by itself; the schemes within one are needed together. */
function authentication({ security }: Operation): string {
  const link = (name: string) => `<a href="#auth-${escaped(name)}">${escaped(name)}</a>`;
  const ways = security.map((requirement) => {
    const names = Object.keys(requirement);
    return names.length === 0 ? 'none' : names.map(link).join(' and ');
  });
  return `<p>${ways.length === 0 ? 'None.' : `${ways.join(', or ')}.`}</p>`;
}

function responsesMarkup({ responses }: Operation): string {
  return Object.entries(responses)
    .map(([status, response]) =>
      '$ref' in response
        ? '<p class="other">Other statuses: <a href="#gateway">responses of the gateway</a>.</p>'
        : responseMarkup(status, response),
    )
    .join('');
}

/** A response, closed until the reader opens it. */
export function responseMarkup(status: string, { description, headers = {}, content }: Response): string {
  const names = Object.entries(headers).map(([name, header]) => headerMarkup(name, header));
  return [
    `<details><summary><span class="status s${escaped(status.slice(0, 1))}">${escaped(status)}</span> ${inlineMarkdown(description)}</summary>`,
    contentMarkup(content, true),
    names.length > 0 ? `<p class="headers">Headers: ${names.join(', ')}</p>` : '',
    '</details>',
  ].join('');
}

function headerMarkup(name: string, header: Header | Reference): string {
  const value = '$ref' in header ? undefined : header.schema.const;
  const text = value === undefined ? name : `${name}: ${value}`;
  return `<a href="#header-${escaped(name)}">${code(text)}</a>`;
}

/** The media types of a body. A request has its example in the command. */
function contentMarkup(content: Readonly<Record<string, MediaType<unknown>>>, hasExamples = false): string {
  return Object.entries(content)
    .map(([type, media]) => {
      const title = `<p class="media">${code(type)}</p>`;
      return title + schemaMarkup(media.schema) + (hasExamples ? exampleMarkup(type, media) : '');
    })
    .join('');
}

function exampleMarkup(type: string, { schema, examples }: MediaType<unknown>): string {
  if (type !== 'application/json') return '';
  const values = examples
    ? Object.values(examples).map(({ value }) => JSON.stringify(value))
    : [JSON.stringify(exampleValue(schema, 'all'), undefined, 2)];
  return codeBlock(values.join('\n'));
}
