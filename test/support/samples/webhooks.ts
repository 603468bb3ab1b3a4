import { defined } from '../../../functions/shared/contract/defined.ts';
import { bearer, type Call, call, newTenant, type Tenant } from '../call.ts';

/** A webhook that the API accepts. */
export const goodWebhook = (more: object = {}) => ({
  url: 'https://app.example/webhooks',
  types: ['*'],
  description: 'All of them.',
  active: true,
  ...more,
});

/** An application that has webhooks. */
export const newOwner = (): Promise<Tenant> => newTenant();

/** Headers of a request by the API key of the application. */
export const asOwner = ({ apiKey }: Pick<Tenant, 'apiKey'>) => bearer(apiKey);

/** Creates a webhook. @returns the response: the webhook, and its secret. */
export async function newWebhook(
  owner: Tenant,
  more: object = {},
): Promise<{ webhook: { _id: string } & Record<string, unknown>; secret: string }> {
  const request = { headers: asOwner(owner), body: goodWebhook(more) };
  const { status, body, text } = await call('webhooks.webhook-create', request);
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return body;
}

/** A call for a new webhook of a new application. */
async function forOne(body?: object): Promise<Call> {
  const owner = await newOwner();
  const { webhook } = await newWebhook(owner);
  return { headers: asOwner(owner), params: { id: webhook._id }, ...defined({ body }) };
}

export const endpointSamples: Record<string, () => Call | Promise<Call>> = {
  'webhooks.webhook-create': async () => ({ headers: asOwner(await newOwner()), body: goodWebhook() }),
  'webhooks.webhook-list': async () => {
    const owner = await newOwner();
    await newWebhook(owner);
    return { headers: asOwner(owner) };
  },
  'webhooks.webhook-read': () => forOne(),
  'webhooks.webhook-update': () => forOne(goodWebhook({ types: ['webhook.*'] })),
  'webhooks.webhook-remove': () => forOne(),
  'webhooks.webhook-rotate': () => forOne(),
  'webhooks.webhook-test': () => forOne(),
};
