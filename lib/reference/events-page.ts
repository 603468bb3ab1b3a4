import { eventOwners } from '../../functions/shared/contract/event-types.ts';
import { eventNameOf } from '../openapi/operation-id.ts';
import type {
  Example,
  OpenApiDocument,
  Operation,
  Parameter,
  Schema,
  WebhookOperation,
} from '../openapi/types.ts';
import { eventsAfter } from './following-events.ts';
import { code, codeBlock, escaped, inlineMarkdown, list } from './markup.ts';
import { fieldMarkup, schemaMarkup } from './schema.ts';
import { linkFrom } from './site.ts';
import { articleOf } from './titles.ts';

/** The types of events with their examples. */
export function eventsOf({ webhooks }: OpenApiDocument): [type: string, example: Example<unknown>][] {
  return Object.entries(webhooks.event.post.requestBody.content['application/json']?.examples ?? {});
}

/** The object that an event is about, by its type. */
const objectOf = (type: string) => type.split('.', 1)[0] ?? type;

/**
 * The page of all types of events, and how they are delivered.
 *
 * @param link to an operation.
 */
export function eventsPage(
  document: OpenApiDocument,
  operations: readonly Operation[],
  link: (operation: Operation) => string,
): string {
  const { post } = document.webhooks.event;
  const { components } = document;
  const articles = eventsOf(document).map(([type, example]) => {
    const before = operations.filter(({ operationId }) => eventsAfter(operationId).includes(type));
    const schema = components.schemas[eventNameOf(type)] ?? {};
    return { object: objectOf(type), text: eventMarkup(type, example, schema, before.map(link)) };
  });
  const sections = [...Map.groupBy(articles, ({ object }) => object)].map(
    ([object, own]) =>
      `<section id="events.${object}"><h2>${escaped(titleOfObject(object))}</h2>${own.map(({ text }) => text).join('\n')}</section>`,
  );
  return `<h1>Events</h1><p class="lead">A webhook receives each event of the types that it names, signed, at least once. <a href="${linkFrom({ name: 'events' }, undefined, 'conventions')}">The conventions</a> say how deliveries are made and repeated, and <a href="${linkFrom({ name: 'events' }, 'webhooks')}">webhooks</a> how to make one.</p>
${sections.join('\n')}
<section id="deliveries"><h2>Deliveries</h2>${deliveryMarkup(post)}</section>`;
}

const titleOfObject = (object: string): string => {
  const name = object.replace('_', ' ');
  return `Events of ${articleOf(name)} ${name}`;
};

const owners = {
  api_key: 'Webhooks of an API key receive it.',
  client_secret: 'Webhooks of a client secret receive it.',
  of_webhook: 'The webhook that it is about, or those of its kind of key, receive it.',
} as const;

/** A type of event: when it happens, after which operations, and its body. */
function eventMarkup(
  type: string,
  { summary, value }: Example<unknown>,
  { properties = {} }: Schema,
  causes: readonly string[],
): string {
  const owner = eventOwners.get(type);
  const id = `event.${escaped(type)}`;
  const { data = true } = properties;
  return [
    `<article id="${id}"><div class="text">`,
    `<h3><a href="#${id}">${code(type)}</a></h3>`,
    `<p class="summary">${inlineMarkdown(summary)}</p>`,
    owner === undefined ? '' : `<p>${owners[owner]}</p>`,
    causes.length === 0
      ? '<p>No operation causes it: a time has come, or deliveries have failed.</p>'
      : `<p>It can follow these operations, or their later consequences:</p>${list(causes)}`,
    `<p>${code('data')} is:</p>${schemaMarkup(data)}`,
    '</div><div class="code">',
    `<details class="answer"><summary>The event</summary>${codeBlock(JSON.stringify(value, undefined, 2))}</details>`,
    '</div></article>',
  ].join('');
}

/** How any event is delivered. */
function deliveryMarkup({ description = '', parameters = [], responses }: WebhookOperation): string {
  const headers = parameters.map(
    ({ name, required, schema, description }) =>
      `${fieldMarkup(name, schema, required, description)}${exampleText(schema)}`,
  );
  // A status in digits is a key that comes first: `2XX` belongs before `410`.
  const statuses = ['2XX', ...Object.keys(responses).filter((status) => status !== '2XX')];
  const answers = statuses.map((status) => {
    const response = responses[status];
    const text = response !== undefined && 'description' in response ? response.description : '';
    return `<span class="status s${escaped(status.slice(0, 1))}">${escaped(status)}</span> ${inlineMarkdown(text)}`;
  });
  return [
    `<h3>Headers</h3><p>${inlineMarkdown(description)}</p>`,
    list(headers, 'fields'),
    '<h3>Answers</h3>',
    list(answers, 'fields'),
  ].join('');
}

function exampleText(schema: Parameter['schema']): string {
  const [example] = schema.examples ?? [];
  return typeof example === 'string' ? ` ${code(example)}` : '';
}
