import { Webhook } from 'standardwebhooks';
import { registeredEvents } from '../../../../functions/events.ts';
import { secondMs } from '../../../../functions/shared/runtime/clock.ts';
import { inlined } from '../../../../lib/openapi/components.ts';
import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import { eventNameOf } from '../../../../lib/openapi/operation-id.ts';
import { exampleSecret } from '../../../../lib/openapi/webhooks.ts';
import { validator } from '../../../support/documentation/differences.ts';

const document = openApiDocument({ version: '1.2.3' });
const delivery = document.webhooks?.event?.post;
if (delivery === undefined) throw new Error('Events are not documented');
const { schema, examples = {} } = delivery.requestBody.content['application/json'] ?? { schema: {} };
const types = registeredEvents().map(({ type }) => type);

test('the document has a schema and an example for every registered event, and no other', () => {
  expect(schema).toEqual({ $ref: '#/components/schemas/WebhookEvent' });
  const { oneOf, discriminator } = document.components.schemas.WebhookEvent ?? {};
  const names = types.map((type) => `#/components/schemas/${eventNameOf(type)}`);
  expect(oneOf).toEqual(names.map(($ref) => ({ $ref })));
  expect(discriminator).toEqual({
    propertyName: 'type',
    mapping: Object.fromEntries(types.map((type, i) => [type, names[i]])),
  });
  expect(Object.keys(examples)).toEqual(types);
});

const { oneOf = [] } = inlined(document.components.schemas.WebhookEvent ?? {}, document.components.schemas);

test.each(Object.entries(examples))('the example of %s is one of its schema alone', (type, { value }) => {
  const fitting = (oneOf as object[]).filter((one) => validator(one)(value) === undefined);
  expect(fitting).toEqual([
    expect.objectContaining({
      properties: expect.objectContaining({ type: { type: 'string', const: type } }),
    }),
  ]);
});

test('the first example is one that the library verifies with the secret of the example', () => {
  const sent = Object.fromEntries(
    (delivery.parameters ?? []).map(({ name, schema }) => [name, String(schema.examples?.[0])]),
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Number(sent['webhook-timestamp']) * secondMs });
  const [{ value } = { value: {} }] = Object.values(examples);
  const body = JSON.stringify(value);
  expect(new Webhook(exampleSecret).verify(body, sent)).toEqual(value);
  expect(() => new Webhook(exampleSecret).verify(`${body} `, sent)).toThrow();
});

test('it says what a success, a 410 and any other answer do', () => {
  expect(Object.keys(delivery.responses).sort()).toEqual(['2XX', '410', 'default']);
});
