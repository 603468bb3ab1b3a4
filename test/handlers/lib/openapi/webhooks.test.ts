import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { registeredEvents } from '../../../../functions/events.ts';
import { secondMs } from '../../../../functions/shared/runtime/duration.ts';
import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import { exampleSecret } from '../../../../lib/openapi/webhooks.ts';

const document = openApiDocument({ version: '1.2.3' });
const { webhooks = {} } = document;
const deliveries = Object.entries(webhooks).map(([type, { post }]) => ({ type, post }));

afterEach(() => {
  vi.useRealTimers();
});

test('the document has a webhook for every registered event, and no other', () => {
  expect(Object.keys(webhooks)).toEqual(registeredEvents().map(({ type }) => type));
  expect(deliveries.length).toBeGreaterThan(0);
});

describe.each(deliveries)('$type', ({ post }) => {
  const media = post.requestBody.content['application/json'];
  const { value = {} } = media?.examples?.delivery ?? {};
  const event = value as Record<string, unknown>;
  const headers = Object.fromEntries(
    (post.parameters ?? []).map(({ name, schema }) => [name, String(schema.examples?.[0])]),
  );

  test('has an example that the library verifies with the secret of the example', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * secondMs });
    const body = JSON.stringify(event);
    expect(new Webhook(exampleSecret).verify(body, headers)).toEqual(event);
    expect(() => new Webhook(exampleSecret).verify(`${body} `, headers)).toThrow();
  });

  test('says what a success, a 410 and any other answer do', () => {
    expect(Object.keys(post.responses).sort()).toEqual(['2XX', '410', 'default']);
  });
});
