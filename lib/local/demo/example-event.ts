import { registeredEvents } from '../../../functions/events.ts';
import type { EventOwner } from '../../../functions/shared/contract/event-types.ts';
import type { Audience } from '../../../functions/shared/contract/events.ts';
import { exampleData } from '../../openapi/webhooks.ts';
import { putItem } from '../table.ts';
import type { DemoOptions } from './demo-client.ts';
import type { Demo } from './demo-data.ts';
import { demoWebhook } from './webhooks.ts';

/** The types of events that can be sent. */
export const exampleTypes: readonly string[] = registeredEvents().map(({ type }) => type);

/**
 * Records the documented example of an event for the demo application `gateway`, as the change does that causes it. The
 * stream dispatches the event, and the state machines deliver it.
 *
 * @returns the name of the receiver that takes it.
 * @throws Error for an unknown type
 */
export async function sendExample(options: DemoOptions, demo: Demo, type: string): Promise<string> {
  const event = registeredEvents().find((one) => one.type === type);
  if (event === undefined) throw new Error(`There is no event ${type}`);
  const { _id: applicationId, clientSecret } = demo.applications.gateway;
  const isOfLinks = event.owner === 'client_secret';
  if (isOfLinks) await demoWebhook(options, 'links', applicationId, clientSecret);
  // Loaded here: it brings the client of the table, which keeps the environment of its start.
  const { eventWrites } = await import('../../../functions/shared/events/events-write.ts');
  const data = exampleData(event);
  const source = Object.assign({ applicationId, nowMs: options.nowMs() }, audiences[event.owner]);
  for (const { Put } of eventWrites(source, [{ type, sequence: 1, data }]))
    await putItem(options.endpoint, options.tableName, Put.Item);
  return isOfLinks ? 'demo-links' : 'demo-gateway';
}

/** Who receives the events: those about a webhook do not say it. */
const audiences: Readonly<Record<EventOwner, { audience?: Audience }>> = {
  api_key: {},
  client_secret: {},
  of_webhook: { audience: { keyKind: 'api_key' } },
};
