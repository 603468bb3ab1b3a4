import { registeredEvents } from '../../../functions/events.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { exampleData } from '../../openapi/webhooks.ts';
import { type DemoOptions, demoClient, storedOrCreated } from './demo-client.ts';

/**
 * The webhook of an application for all events that one kind of key sees, created when missing. The receiver of the stack takes,
 * verifies and shows them.
 *
 * @param kind the receiver is `demo-<kind>`.
 */
export async function demoWebhook(
  options: DemoOptions,
  kind: 'offline' | 'gateway' | 'links',
  applicationId: string,
  key: string,
) {
  const client = demoClient(options, key);
  const receiver = `demo-${kind}`;
  const url = options.webhookReceiver(receiver);
  const name = `demo.webhooks.${applicationId}${kind === 'links' ? '.links' : ''}`;
  const create = async () => {
    const description = 'The receiver of the local stack.';
    const { webhook, secret } = await client.createWebhook({ url, types: ['*'], description });
    return { _id: webhook._id, url, secret };
  };
  const known = await storedOrCreated(options, name, create, ({ _id }) =>
    options.table.hasAll([keys.webhook(applicationId, _id)]),
  );
  options.webhookReceiver(receiver, known.secret);
  if (known.url === url) return known;
  // The data was created by a run on another port.
  await client.updateWebhook({ id: known._id, url });
  const moved = { _id: known._id, url, secret: known.secret };
  options.state.set(name, moved);
  return moved;
}

export const exampleTypes: readonly string[] = registeredEvents().map(({ type }) => type);

/**
 * Records the documented example of an event for an application, as the change does that causes it. The
 * stream dispatches the event, and the state machines deliver it.
 *
 * @returns the name of the receiver that takes it.
 */
export async function sendExample(
  options: DemoOptions,
  { _id: applicationId, clientSecret }: { _id: string; clientSecret: string },
  type: string,
): Promise<string> {
  const event = registeredEvents().find((one) => one.type === type);
  if (event === undefined) throw new Error(`There is no event ${type}`);
  const isOfLinks = event.owner === 'client_secret';
  if (isOfLinks) await demoWebhook(options, 'links', applicationId, clientSecret);
  // Loaded here: it brings the client of the table, which keeps the environment of its start.
  const { eventWrites } = await import('../../../functions/shared/events/events-write.ts');
  // Events about a webhook do not say who receives them.
  const audience = event.owner === 'of_webhook' ? { audience: { keyKind: 'api_key' as const } } : {};
  const source = Object.assign({ applicationId, nowMs: options.nowMs() }, audience);
  const data = exampleData(event);
  for (const { Put } of eventWrites(source, [{ type, sequence: 1, data }])) await options.table.put(Put.Item);
  return isOfLinks ? 'demo-links' : 'demo-gateway';
}
