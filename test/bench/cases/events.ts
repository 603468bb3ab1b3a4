import { bearer, newTenant } from '../../support/tenants.ts';
import { listedEvents } from '../../support/webhooks/events.ts';
import { type Case, row } from './case.ts';

/** An application with a number of listed events, and the ids of these. */
async function withEvents(count: number) {
  const { applicationId, apiKey } = await newTenant();
  const types = Array.from({ length: count }, (_, i) => [
    i % 100 === 0 ? 'payment.received' : 'payment.processing',
  ]);
  const ids = await listedEvents(applicationId, types, { data: { text: 'x'.repeat(1_000) } });
  return { headers: bearer(apiKey), ids };
}

const list = (count: number, query: (ids: string[]) => Record<string, string>) => async () => {
  const { headers, ids } = await withEvents(count);
  return { headers, query: query(ids) };
};

export const eventCases: readonly Case[] = [
  row(
    'webhooks.event-list',
    'the oldest 50 of 200',
    list(200, () => ({})),
  ),
  row(
    'webhooks.event-list',
    'nothing new',
    list(30, (ids) => ({ after: ids.at(-1) ?? '' })),
  ),
  row(
    'webhooks.event-list',
    '1 of 100 matches',
    list(400, () => ({ type: 'payment.received' })),
  ),
  row('webhooks.event-read', 'one', async () => {
    const { headers, ids } = await withEvents(1);
    return { headers, params: { id: ids[0] ?? '' } };
  }),
];
