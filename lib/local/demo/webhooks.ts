import * as keys from '../../../functions/shared/contract/keys.ts';
import { type DemoOptions, demoClient } from './demo-client.ts';
import { type DemoTenants, storedOrCreated } from './tenants.ts';

/** A webhook of a demo application, which the receiver of the stack takes, verifies and shows. */
interface DemoWebhook {
  _id: string;
  /** Where the receiver shows the events. */
  url: string;
  secret: string;
}

export type DemoWebhooks = Record<keyof DemoTenants['applications'], DemoWebhook>;

/** One webhook for all types of events of each demo application. */
export async function demoWebhooks(
  options: DemoOptions,
  { applications }: DemoTenants,
): Promise<DemoWebhooks> {
  return {
    offline: await demoWebhook(options, 'offline', applications.offline._id, applications.offline.apiKey),
    gateway: await demoWebhook(options, 'gateway', applications.gateway._id, applications.gateway.apiKey),
  };
}

/**
 * The webhook of an application for all events that one kind of key sees, created when missing.
 *
 * @param kind the receiver is `demo-<kind>`.
 * @param key the API key or the client secret.
 */
export async function demoWebhook(
  options: DemoOptions,
  kind: keyof DemoWebhooks | 'links',
  applicationId: string,
  key: string,
): Promise<DemoWebhook> {
  const client = demoClient(options, key);
  const receiver = `demo-${kind}`;
  const url = options.webhookReceiver(receiver);
  const name = `demo.webhooks.${applicationId}${kind === 'links' ? '.links' : ''}`;
  const known = await storedOrCreated<DemoWebhook>(
    options,
    name,
    ({ _id }) => [keys.webhook(applicationId, _id)],
    async () => {
      const description = 'The receiver of the local stack.';
      const created = await client.createWebhook({ url, types: ['*'], description });
      options.webhookReceiver(receiver, created.secret);
      return { _id: created.webhook._id, url, secret: created.secret };
    },
  );
  if (known.url === url) return known;
  // The data was created by a run on another port.
  await client.updateWebhook({ id: known._id, url });
  const moved = { _id: known._id, url, secret: known.secret };
  options.state.set(name, moved);
  return moved;
}
