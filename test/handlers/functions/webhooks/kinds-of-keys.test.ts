/** A client secret and an API key of one application: each has the events and webhooks of its own services. */

import { registeredEvents } from '../../../../functions/events.ts';
import { registeredRoutes } from '../../../../functions/routes.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import type { ApplicationKeyKind } from '../../../../functions/shared/contract/secret.ts';
import { secondMs } from '../../../../functions/shared/runtime/clock.ts';
import { newId } from '../../../../functions/shared/runtime/ids.ts';
import { deliveryId } from '../../../../functions/webhooks/deliveries/delivery.ts';
import type { Webhook } from '../../../../functions/webhooks/endpoints/webhook.ts';
import {
  type Answered,
  bearer,
  type Call,
  call,
  newOperatorKey,
  newTenant,
  type Tenant,
} from '../../../support/call.ts';
import { storedDelivery } from '../../../support/samples/deliveries.ts';
import { goodWebhook } from '../../../support/samples/webhooks.ts';
import { listedEvents } from '../../../support/webhooks/events.ts';
import { type WebhookStage, webhookStage } from '../../../support/webhooks/stage.ts';

const kinds = ['api_key', 'client_secret'] as const;
/** The contract: subscriptions with the API key, links and OAuth with the client secret. */
const ownerOf: Readonly<Record<string, ApplicationKeyKind>> = {
  subscriptions: 'api_key',
  invoices: 'api_key',
  payments: 'api_key',
  links: 'client_secret',
  oauth: 'client_secret',
};
const other = (kind: ApplicationKeyKind) => (kind === 'api_key' ? 'client_secret' : 'api_key');
const family = (type: string) => `${type.slice(0, type.indexOf('.'))}.*`;

const secretOf = (tenant: Tenant, kind: ApplicationKeyKind) =>
  bearer(kind === 'api_key' ? tenant.apiKey : tenant.clientSecret);

/** Calls an operation one second after the one before, so that no limit is reached. */
function ask(id: string, headers: Record<string, string>, more: Call = {}): Promise<Answered> {
  vi.setSystemTime(Date.now() + secondMs);
  return call(`webhooks.${id}`, { ...more, headers: { ...headers, ...more.headers } });
}

/** One type of each family. */
const types = registeredEvents().filter(
  ({ type }, n, all) => all.findIndex((one) => family(one.type) === family(type)) === n,
);

let stage: WebhookStage;
let tenant: Tenant;
const webhooks = new Map<ApplicationKeyKind, Webhook>();
const eventIds = new Map<string, string>();
const idOf = (kind: ApplicationKeyKind) => webhooks.get(kind)?.webhookId ?? '';
const eventOf = (type: string, kind: ApplicationKeyKind) =>
  eventIds.get(`${type} ${kind}`) ?? eventIds.get(type) ?? '';

beforeAll(async () => {
  stage = await webhookStage();
  tenant = await newTenant();
  for (const kind of kinds) {
    const { body } = await ask('webhook-create', secretOf(tenant, kind), { body: goodWebhook() });
    webhooks.set(kind, Object.assign({}, body.webhook, { webhookId: body.webhook._id }));
  }
  for (const { type, service } of registeredEvents()) {
    if (service in ownerOf) {
      const [id = ''] = await listedEvents(tenant.applicationId, [[type]]);
      eventIds.set(type, id);
      continue;
    }
    for (const keyKind of kinds) {
      const options = { audience: { keyKind } };
      const [id = ''] = await listedEvents(tenant.applicationId, [[type]], options);
      eventIds.set(`${type} ${keyKind}`, id);
    }
  }
  await stage.fanOut([...eventIds.values()].map((id) => keys.events(id.slice(0, -1))));
});
afterAll(() => stage.stop());

describe.each(types)('$type', ({ type, service }) => {
  const owner = ownerOf[service];
  test.each(kinds)('is seen and taken by the %s only where it is of its services', async (kind) => {
    const headers = secretOf(tenant, kind);
    const isOwn = owner === undefined || owner === kind;
    const eventId = eventOf(type, kind);
    for (const named of [type, family(type)]) {
      const refused = (field: string) => ({
        status: 400,
        body: { error: 'invalid_request', details: { [field]: expect.stringContaining(named) } },
      });
      const body = goodWebhook({ types: [named] });
      const created = await ask('webhook-create', headers, { body });
      expect(created).toMatchObject(isOwn ? { status: 201 } : refused('types'));
      const params = { id: isOwn ? created.body.webhook._id : idOf(kind) };
      const updated = await ask('webhook-update', headers, { params, body: { types: ['*', named] } });
      expect(updated).toMatchObject(isOwn ? { status: 200 } : refused('types'));
      if (isOwn) await ask('webhook-remove', headers, { params });
      const listed = await ask('event-list', headers, { query: { type: named, limit: '100' } });
      expect(listed).toMatchObject(isOwn ? { status: 200 } : refused('type'));
      if (isOwn) expect(listed.text).toContain(eventId);
    }
    const read = await ask('event-read', headers, { params: { id: eventId } });
    const after = await ask('event-list', headers, { query: { after: eventId } });
    expect([read.status, after.status]).toEqual(isOwn ? [200, 200] : [404, 400]);
    expect(await stage.delivery(idOf(kind), eventId)).toEqual(isOwn ? expect.anything() : undefined);
    // An event about a webhook of the other kind of key is for that kind alone.
    const foreign = eventOf(type, other(kind));
    if (foreign === eventId) return;
    expect((await ask('event-read', headers, { params: { id: foreign } })).status).toBe(404);
    expect(await stage.delivery(idOf(kind), foreign)).toBeUndefined();
  });
});

/** Every operation on one webhook or one delivery. */
const operations = registeredRoutes()
  .filter(({ service, route }) => service === 'webhooks' && route.path.includes('{id}'))
  .map(({ id }) => id.slice('webhooks.'.length))
  .filter((operation) => operation !== 'event-read');

describe.each(operations)('%s', (operation) => {
  test.each(kinds)(
    'has nothing of the %s for the other kind of key, as if it did not exist',
    async (kind) => {
      const delivery = await storedDelivery(tenant, idOf(kind), { status: 'failed', reason: 'exhausted' });
      const isDelivery = operation === 'delivery-retry';
      const unknown = newId('whk', Date.now());
      const ids = [idOf(kind), unknown].map((webhookId) =>
        isDelivery ? deliveryId({ webhookId, eventId: delivery.eventId }) : webhookId,
      );
      const body = operation === 'webhook-update' ? { body: { active: false } } : {};
      const [foreign, absent] = await Promise.all(
        ids.map((id) =>
          call(`webhooks.${operation}`, { ...body, headers: secretOf(tenant, other(kind)), params: { id } }),
        ),
      );
      expect([foreign?.status, foreign?.text]).toEqual([404, absent?.text]);
      const kept = await ask('webhook-read', secretOf(tenant, kind), { params: { id: idOf(kind) } });
      expect(kept.body.webhook).toMatchObject({ active: true, updatedAt: kept.body.webhook.createdAt });
      const { body: deliveries } = await ask('delivery-list', secretOf(tenant, kind), {
        params: { id: idOf(kind) },
      });
      expect(deliveries.deliveries[0]).toMatchObject({ status: 'failed' });
    },
  );
});

test('an Idempotency-Key of one kind of key gives the other no webhook and no secret', async () => {
  const one = await newTenant();
  const request = { headers: { 'idempotency-key': 'same' }, body: goodWebhook() };
  const first = await ask('webhook-create', secretOf(one, 'api_key'), request);
  const second = await ask('webhook-create', secretOf(one, 'client_secret'), request);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.webhook).toMatchObject({ keyKind: 'client_secret' });
  expect(second.body.secret).not.toBe(first.body.secret);
});

test.each([
  [['subscription.*', 'webhook.*', '*'], 201, 'api_key'],
  [['link.verified'], 201, 'client_secret'],
  [['*'], 400, undefined],
  [['webhook.*'], 400, undefined],
  [['link.*', 'payment.*'], 400, undefined],
])(
  'a webhook that an operator creates for %j is for the key that its types name',
  async (types, status, kind) => {
    const { applicationId } = await newTenant();
    const headers = { ...bearer(await newOperatorKey()), 'x-application-id': applicationId };
    const answer = await ask('webhook-create', headers, { body: goodWebhook({ types }) });
    expect([answer.status, answer.body.webhook?.keyKind]).toEqual([status, kind]);
    if (status === 400) expect(Object.keys(answer.body.details)).toEqual(['types']);
  },
);
