/** The events that the reference names at an operation are those that its requests cause. */
import { expect, test } from 'vitest';
import { registeredEvents } from '../../../../functions/events.ts';
import { registeredRoutes } from '../../../../functions/routes.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dynamodb } from '../../../../functions/shared/table/client.ts';
import { operationIdOf } from '../../../../lib/openapi/operation-ids.ts';
import { eventsAfter, explainedOperations } from '../../../../lib/reference/following-events.ts';
import { call } from '../../../support/call.ts';
import { samples } from '../../../support/samples/requests.ts';

const { pk: anyGroup } = keys.events('');
let written: string[] = [];

dynamodb.middlewareStack.add(
  (next) => (args) => {
    const { TransactItems = [] } = args.input as {
      TransactItems?: { Put?: { Item: { pk: string; events?: { type: string }[] } } }[];
    };
    for (const { Put } of TransactItems)
      if (Put?.Item.pk.startsWith(anyGroup)) written.push(...(Put.Item.events ?? []).map(({ type }) => type));
    return next(args);
  },
  { step: 'initialize', name: 'written-types' },
);

const operations = registeredRoutes().map(({ service, name, id }) => ({
  id,
  operationId: operationIdOf({ service, name, id }),
}));
/** The types of the events of all requests. */
const seen = new Set<string>();

test.each(operations)('the reference names each event of a request to $id', async ({ id, operationId }) => {
  const sample = (await samples[id]?.()) ?? {};
  written = [];
  await call(id, sample);
  for (const type of written) seen.add(type);
  const named = eventsAfter(operationId);
  expect(written.filter((type) => !named.includes(type))).toEqual([]);
});

test('the requests cause events, and each operation and event that the reference names exists', () => {
  expect(seen.size).toBeGreaterThan(10);
  const types = registeredEvents().map(({ type }) => type);
  for (const id of explainedOperations) {
    expect(operations.map(({ operationId }) => operationId)).toContain(id);
    expect(types).toEqual(expect.arrayContaining(eventsAfter(id)));
  }
});
