import { createHmac } from 'node:crypto';
import { type RegisteredEvent, registeredEvents } from '../../functions/events.ts';
import { eventRetentionDays, exampleTime } from '../../functions/shared/contract/events.ts';
import { exampleValue } from './example-value.ts';
import { eventNameOf } from './operation-id.ts';
import { jsonSchema, namedSchema } from './schemas.ts';
import type { OpenApiDocument, Parameter, Response, Schema } from './types.ts';

/** The secret of the examples: that of the Standard Webhooks specification. It belongs to nothing. */
export const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLwSw';
const exampleId = 'evt_01M8ABCDEFGHJKMNPQRSTVWXYZ0';
const exampleTimestamp = String(Date.parse(exampleTime) / 1_000);

/** The delivery of events and the meaning of responses, in CommonMark: a part of the conventions. */
export const webhookRules = `\
**Webhooks.** A webhook receives each event that its \`types\` name as a POST, signed as
[Standard Webhooks](https://www.standardwebhooks.com) defines. Verify it with one of its libraries and the secret of the
webhook, over the bytes of the body as received. \`webhook-id\` is the id of the event, the same at every attempt: an event is
delivered at least once, so ignore an id that you have handled. Events can arrive in another order than that of the changes:
compare \`sequence\`, which rises by one with each event of an object, and ignore an event that is older than the last you have.

An answer with a status of 2xx within 15 seconds is a success. 410 disables the webhook. Any other answer, a redirect included,
is a failure. Further attempts follow after 5 seconds, 5 and 30 minutes, and 2, 5, 10, 14, 20 and 24 hours, with
jitter; \`Retry-After\` can postpone the next one. A webhook that fails for five days is disabled. Events are kept for
${eventRetentionDays} days: read what you have missed with \`GET /api/v1/events\`.`;

/** The `webhooks` of the document: the one operation that a receiver offers, with an example for each type of event. */
export function webhookOperations(): OpenApiDocument['webhooks'] {
  const events = registeredEvents();
  const [first] = events;
  const schemas = events.map((event): [string, Schema] => [eventNameOf(event.type), namedEvent(event)]);
  const schema: Schema = {
    oneOf: schemas.map(([name]) => ({ $ref: `#/$defs/${name}` })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(
        events.map(({ type }) => [type, `#/components/schemas/${eventNameOf(type)}`]),
      ),
    },
  };
  return {
    event: {
      post: {
        tags: ['webhooks'],
        operationId: 'receiveEvent',
        summary: 'Receives an event.',
        description: `As sent, without white space. \`webhook-signature\` is that of the first example by the secret \`${exampleSecret}\`.`,
        security: [],
        parameters: headers(JSON.stringify(first && eventExample(first))),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                $ref: '#/$defs/WebhookEvent',
                $defs: Object.assign({ WebhookEvent: schema }, shared, Object.fromEntries(schemas)),
              },
              examples: Object.fromEntries(
                events.map((event) => [
                  event.type,
                  { summary: event.definition.summary, value: eventExample(event) },
                ]),
              ),
            },
          },
        },
        responses: answers,
      },
    },
  };
}

/** An event of a type, with all fields of the event and those of its data that are required or that its definition names. */
function eventExample(event: RegisteredEvent): unknown {
  const data = jsonSchema(event.definition.data, 'output');
  return Object.assign({}, exampleValue(eventSchema(event.type, data, shared), 'all'), {
    data: exampleData(event),
    createdAt: exampleTime,
  });
}

/** The object that an event is about, in the example of its type. */
export function exampleData({ type, definition }: RegisteredEvent): object {
  const [object = ''] = type.split('.');
  const required = exampleValue(jsonSchema(definition.data, 'output'), 'required', object);
  return Object.assign({}, required, definition.example);
}

const references: typeof shared = {
  EventId: { $ref: '#/$defs/EventId' },
  EventSequence: { $ref: '#/$defs/EventSequence' },
};

const namedEvent = ({ type, definition }: RegisteredEvent): Schema =>
  Object.assign(
    { description: definition.summary },
    eventSchema(type, namedSchema(definition.data, 'output', 'EventData'), references),
  );

/** The fields that the events of all types have. */
const shared: Readonly<Record<'EventId' | 'EventSequence', Schema>> = {
  EventId: {
    type: 'string',
    description: 'The same at every attempt, in `webhook-id` and in the list of events.',
    examples: [exampleId],
  },
  EventSequence: {
    type: 'integer',
    minimum: 1,
    description: 'Rises by one with each event of the object.',
    examples: [1],
  },
};

/** The fields are in the order in which they are sent. */
function eventSchema(type: string, data: Schema, { EventId, EventSequence }: typeof shared): Schema {
  return {
    type: 'object',
    properties: {
      id: EventId,
      type: { type: 'string', const: type },
      createdAt: { type: 'string', format: 'date-time' },
      sequence: EventSequence,
      data,
    },
    required: ['id', 'type', 'createdAt', 'sequence', 'data'],
  };
}

function headers(body: string): Parameter[] {
  const header = (name: string, description: string, example: string): Parameter => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string', examples: [example] },
  });
  return [
    header('webhook-id', 'The id of the event.', exampleId),
    header(
      'webhook-timestamp',
      'When the attempt was made, in seconds since 1970. Libraries refuse one that is more than five minutes off.',
      exampleTimestamp,
    ),
    header(
      'webhook-signature',
      'One or, for 24 hours after a rotation, two signatures, separated by a space. Each is `v1,` and the HMAC-SHA256, in Base64, of the id, the timestamp and the body, joined by dots.',
      exampleSignature(body),
    ),
  ];
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme */
function exampleSignature(body: string): string {
  const key = Buffer.from(exampleSecret.slice('whsec_'.length), 'base64');
  const signed = [exampleId, exampleTimestamp, body].join('.');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

const answer = (description: string): Response => ({ description, content: {} });
const answers: Readonly<Record<string, Response>> = {
  '2XX': answer('The event is delivered. The first KB of the body is kept for the list of deliveries.'),
  410: answer('The webhook is disabled, and gets no further event.'),
  default: answer(
    'The attempt has failed, and another one follows. `Retry-After`, in seconds or as a date, can postpone it.',
  ),
};
