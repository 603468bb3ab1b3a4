import type { Call } from '../../support/call.ts';
import {
  asOwner,
  endpointSamples,
  goodWebhook,
  newOwner,
  newWebhook,
} from '../../support/samples/webhooks.ts';
import { bearer, newOperatorKey } from '../../support/tenants.ts';
import { type Case, row } from './case.ts';

const good = (id: string, status = 200): Case =>
  row(id, 'any', async () => (await endpointSamples[id]?.()) ?? {}, status);

/** An application that has a number of webhooks. */
async function withWebhooks(count: number): Promise<Call> {
  const owner = await newOwner();
  for (let i = 0; i < count; i += 1) await newWebhook(owner);
  return { headers: asOwner(owner) };
}

async function eleventh(): Promise<Call> {
  return { ...(await withWebhooks(10)), body: goodWebhook() };
}

/** An operator who acts for an application. */
async function byOperator(): Promise<Call> {
  const { applicationId } = await newOwner();
  return { headers: { ...bearer(await newOperatorKey()), 'x-application-id': applicationId } };
}

export const webhookCases: readonly Case[] = [
  good('webhooks.webhook-create', 201),
  row('webhooks.webhook-create', 'the eleventh', eleventh, 400),
  row('webhooks.webhook-list', '10 webhooks', () => withWebhooks(10)),
  row('webhooks.webhook-list', 'none, by an operator', byOperator),
  good('webhooks.webhook-read'),
  good('webhooks.webhook-update'),
  { ...good('webhooks.webhook-remove'), again: 404 },
  good('webhooks.webhook-rotate'),
  good('webhooks.webhook-test', 202),
];
