/** A local stack that is killed while events and mails are on their way loses none of them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { killableStack } from '../../support/subscriptions/killable-stack.ts';
import { samples } from '../../support/thoroughness.ts';

interface Event {
  id: string;
  type: string;
  sequence: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any object.
  data: Record<string, any>;
}

const { start, kill } = killableStack();

/** A receiver that outlives the stack. */
const received = new Map<string, Event>();
const problems: string[] = [];
let secret = '';
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    const headers = request.headers as Record<string, string>;
    const event = new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers) as Event;
    received.set(event.id, event);
  } catch (error) {
    problems.push(String(error));
  }
  response.writeHead(204).end();
});

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
});

test('a kill -9 while events and mails are on their way loses none of them', async () => {
  let stack = await start();
  const { _id, apiKey } = await stack.application();
  const authorization = { authorization: `Bearer ${apiKey}` };
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const created = await stack.sendJson('POST', '/api/v1/webhooks', { url, types: ['*'] }, authorization);
  expect(created.status).toBe(201);
  secret = created.body.secret;
  let seller = stack.known(_id, apiKey);
  const plan = await seller.plan();
  const begin = async (name: string) => {
    const { id } = await seller.subscribe(await seller.client(name), plan);
    await seller.call('POST', `/subscriptions/${id}/activate`);
  };
  // The request for payment is mailed only while the invoice is open: it comes before the payment here.
  const { id: undisturbed } = await seller.subscribe(await seller.client('undisturbed'), plan);
  await vi.waitFor(async () => expect(await stack.mails('undisturbed@example.com')).toHaveLength(1), 30_000);
  await seller.call('POST', `/subscriptions/${undisturbed}/activate`);

  const names: string[] = [];
  let beforeLastKill = 0;
  // From the moment at which the first subscription is paid, so that others are at every step.
  for (const afterMs of samples({ few: [30], many: [400, 200, 100, 60, 30, 15, 0] })) {
    const own = [1, 2, 3, 4].map((n) => `at-${afterMs}-${n}`);
    names.push(...own);
    const working = own.map(begin);
    await Promise.any(working);
    await sleep(afterMs);
    await kill();
    await Promise.allSettled(working);
    beforeLastKill = received.size;
    stack = await start();
    seller = stack.known(_id, apiKey);
  }
  // Enough for the sweeps to take what was lost for overdue, and for what they start.
  for (let hour = 0; hour < 3; hour += 1) await stack.clockBy(3_600);

  const listed: Event[] = [];
  for (let after = '', hasMore = true; hasMore; ) {
    const query = after === '' ? '' : `&after=${after}`;
    const page = await stack.sendJson('GET', `/api/v1/events?limit=100${query}`, undefined, authorization);
    expect(page.status).toBe(200);
    listed.push(...page.body.events);
    after = page.body.nextCursor;
    hasMore = page.body.hasMore;
  }
  const inOrder = (events: Iterable<Event>) => [...events].toSorted((a, b) => a.id.localeCompare(b.id));
  expect(problems).toEqual([]);
  expect(received.size).toBeGreaterThan(beforeLastKill);
  expect(inOrder(received.values())).toEqual(inOrder(listed));

  // The list itself has the events of every change that was made.
  const typesOf = (id: string) =>
    listed.filter(({ data }) => data._id === id).toSorted((a, b) => a.sequence - b.sequence);
  const subjects = async (name: string) =>
    new Set((await stack.mails(`${name}@example.com`)).map(({ subject }) => subject.replace(/\d+/g, 'N')));
  const expectedTypes = typesOf((await seller.current('undisturbed'))._id).map(({ type }) => type);
  const expectedMails = await subjects('undisturbed');
  expect(expectedTypes).toEqual(expect.arrayContaining(['subscription.created', 'subscription.activated']));
  expect(expectedMails.size).toBeGreaterThan(0);
  let active = 0;
  for (const name of names) {
    const current = await seller.call('GET', `/subscriptions/current?externalId=${name}`);
    if (current.status !== 200) continue;
    const { _id: id, status } = current.body.subscription;
    const events = typesOf(id);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
    expect(events.map(({ type }) => type)).toContain('subscription.created');
    if (status !== 'active') continue;
    active += 1;
    expect(events.map(({ type }) => type)).toEqual(expectedTypes);
    const mails = await subjects(name);
    expect([...mails].filter((subject) => !expectedMails.has(subject))).toEqual([]);
    // An invoice that was paid before its mail was sent needs none.
    expect([...mails].filter((subject) => subject.includes('payment received'))).toHaveLength(1);
  }
  expect(active).toBeGreaterThan(0);
});
