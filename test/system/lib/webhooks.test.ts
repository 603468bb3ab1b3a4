/** Webhooks from end to end: a local stack in a process of its own, and receivers written with `standardwebhooks` alone. */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSubscriptionStack } from '../../support/subscriptions/stack.ts';

type Stack = Awaited<ReturnType<typeof startSubscriptionStack>>;

interface Event {
  id: string;
  type: string;
  createdAt: string;
  sequence: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any object.
  data: Record<string, any>;
}

interface Receiver {
  url: string;
  /** Distinct events, in the order of their first arrival. */
  events: Event[];
  /** How many deliveries arrived, also of events that had arrived before. */
  deliveries: number;
  /** Answers of a status other than 2xx, by the number of the delivery from 1. */
  fails: (delivery: number) => number | undefined;
  secret: string;
  problems: string[];
  close(): Promise<void>;
}

/** An endpoint as an application has it: it verifies each delivery, and takes each event once. */
async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    receiver.deliveries += 1;
    const status = receiver.fails(receiver.deliveries);
    const body = await bodyOf(request);
    try {
      // The clock of the stack is moved, and that of this process is not.
      const headers = request.headers as Record<string, string>;
      const event = new Webhook(receiver.secret).verify(body, headers) as Event;
      if (headers['webhook-id'] !== event.id)
        receiver.problems.push(`${headers['webhook-id']} is ${event.id}`);
      const isNew = !receiver.events.some(({ id }) => id === event.id);
      if (status === undefined && isNew) receiver.events.push(event);
    } catch (error) {
      receiver.problems.push(String(error));
    }
    response.writeHead(status ?? 204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events: [],
    deliveries: 0,
    fails: () => undefined,
    secret: '',
    problems: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

let stack: Stack;
const receivers: Receiver[] = [];

beforeAll(async () => {
  stack = await startSubscriptionStack();
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  await stack?.stop();
});

/** A receiver that is registered for types of events of an application. */
async function registered(secret: string, types: string[] = ['*']): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const { status, body } = await stack.sendJson(
    'POST',
    '/api/v1/webhooks',
    { url: receiver.url, types },
    { authorization: `Bearer ${secret}` },
  );
  expect([status, body]).toEqual([201, expect.objectContaining({ secret: expect.any(String) })]);
  receiver.secret = body.secret;
  return receiver;
}

/** Every event of an application by the list, oldest first. */
async function listed(apiKey: string): Promise<Event[]> {
  const events: Event[] = [];
  let page = { hasMore: true, nextCursor: '' };
  while (page.hasMore) {
    const after = page.nextCursor === '' ? '' : `&after=${page.nextCursor}`;
    const path = `/api/v1/events?limit=20${after}`;
    const { status, body } = await stack.sendJson('GET', path, undefined, {
      authorization: `Bearer ${apiKey}`,
    });
    expect(status).toBe(200);
    events.push(...body.events);
    page = body;
  }
  return events;
}

/** The object that an event is about. */
function objectOf({ type, data }: Event): string {
  return `${type.split('.')[0]} ${data._id}`;
}

/** Expects that the sequences of each object rise by one from 1, in the order of the events. */
function expectInSequence(events: readonly Event[]): void {
  for (const [object, own] of Map.groupBy(events, objectOf)) {
    expect(
      own.map(({ sequence }) => sequence),
      object,
    ).toEqual(own.map((_, i) => i + 1));
  }
}

test('a receiver gets every event of a year of a subscription once it happens, in order of sequence', async () => {
  await stack.clockTo('2055-01-01T00:00:20Z');
  const seller = await stack.application();
  const receiver = await registered(seller.apiKey);
  const plan = await seller.plan({ trialPeriodDays: 14 });
  const { id } = await seller.subscribe(await seller.client('year'), plan, {});
  const pay = async () => {
    const { status } = await seller.call('POST', `/subscriptions/${id}/activate`, {});
    expect(status).toBe(200);
  };
  await stack.clockTo('2055-01-13T12:00:00Z');
  await pay();
  for (let month = 2; month <= 11; month += 1) {
    await stack.clockTo(`2055-${String(month).padStart(2, '0')}-14T00:00:00Z`);
    if ((await seller.read(id)).invoices.some(({ status }) => status === 'open')) await pay();
    if (month !== 5) continue;
    expect((await seller.call('POST', `/subscriptions/${id}/pause`, {})).status).toBe(200);
    await stack.clockBy(3 * 86_400);
    expect((await seller.call('POST', `/subscriptions/${id}/resume`, {})).status).toBe(200);
  }

  expect((await seller.call('POST', `/subscriptions/${id}`, { atPeriodEnd: true })).status).toBe(200);
  await stack.clockTo('2056-01-02T00:00:00Z');
  expect(receiver.problems).toEqual([]);
  const types = new Set(receiver.events.map(({ type }) => type));
  expect([...types]).toEqual(
    expect.arrayContaining([
      'subscription.created',
      'subscription.trial_will_end',
      'subscription.activated',
      'subscription.renewed',
      'subscription.paused',
      'subscription.resumed',
      'subscription.cancellation_scheduled',
      'subscription.cancelled',
      'invoice.issued',
      'invoice.paid',
    ]),
  );
  expectInSequence(receiver.events);
  const times = receiver.events.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted());
  expect(receiver.deliveries).toBe(receiver.events.length);
  // What is delivered is what the list has; events older than 30 days are listed no more.
  const kept = await listed(seller.apiKey);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept).toEqual(receiver.events.slice(-kept.length));
});

test('a receiver that fails gets the same events later, and its failures delay no other receiver', async () => {
  const seller = await stack.application();
  const shaky = await registered(seller.apiKey);
  const steady = await registered(seller.apiKey);
  shaky.fails = (delivery) => (delivery <= 4 ? 503 : undefined);
  const { id } = await seller.subscribe(await seller.client('shaky'), await seller.plan(), {});
  await seller.call('POST', `/subscriptions/${id}/activate`, {});
  await stack.clockBy(0);
  expect(steady.events.length).toBeGreaterThan(2);
  await stack.clockBy(86_400);
  const byId = (events: Event[]) => events.toSorted((a, b) => a.id.localeCompare(b.id));
  expect(byId(shaky.events)).toEqual(byId(steady.events));
  expect(shaky.deliveries).toBe(steady.deliveries + 4);
  expect([...shaky.problems, ...steady.problems]).toEqual([]);
});

test('a receiver gets every event of the life of a link', async () => {
  const { applications, users, operatorKey } = await stack.demo();
  const { clientSecret } = applications.offline;
  const receiver = await registered(clientSecret, ['link.*']);
  const asApplication = { authorization: `Bearer ${clientSecret}`, 'x-user-id': users.verified.userId };
  const asReviewer = { authorization: `Bearer ${operatorKey}` };
  const url = 'https://www.youtube.com/@vera';
  const link = { title: 'Channel', url, platform: 'YouTube', description: 'Mine.' };
  const submitted = await stack.sendJson('POST', '/api/trust-links', { links: [link] }, asApplication);
  expect(submitted.status).toBe(200);
  const linkId = submitted.body.trustLinks[0]._id;
  const decide = async (decision: string) => {
    const review = await stack.sendJson('GET', `/api/operator/reviews/${linkId}`, undefined, asReviewer);
    const { revision } = review.body.review ?? review.body;
    const body = { decision, revision, reason: 'Reviewed.' };
    return stack.sendJson('POST', `/api/operator/reviews/${linkId}`, body, asReviewer);
  };
  const decided = [await decide('rejected')];
  await stack.sendJson('PUT', `/api/trust-links/${linkId}`, { title: 'Channel of Vera' }, asApplication);
  decided.push(await decide('verified'));
  await stack.sendJson('DELETE', `/api/trust-links/${linkId}`, undefined, asApplication);
  expect(decided.map(({ status }) => status)).toEqual([200, 200]);
  await stack.clockBy(0);
  expect(receiver.problems).toEqual([]);
  expectInSequence(receiver.events);
  expect(receiver.events.map(({ type }) => type)).toEqual([
    'link.rejected',
    'link.pending',
    'link.verified',
    'link.removed',
  ]);
});

test('the receiver of the local stack verifies the events of the demo applications', async () => {
  const { applications, webhooks } = await stack.demo();
  const test = await stack.sendJson('POST', `/api/v1/webhooks/${webhooks.gateway._id}/test`, undefined, {
    authorization: `Bearer ${applications.gateway.apiKey}`,
  });
  expect(test.status).toBeLessThan(300);
  await stack.clockBy(0);
  const { body } = await stack.send('/_local/webhooks/demo-gateway');
  expect(body.deliveries[0]).toMatchObject({ type: 'webhook.test', signature: 'verified', status: 204 });
});
