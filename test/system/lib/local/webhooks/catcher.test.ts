import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { openState } from '../../../../../lib/local/state.ts';
import { WebhookCatcher } from '../../../../../lib/local/webhooks/catcher.ts';
import { webhookRoutes } from '../../../../../lib/local/webhooks/routes.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let catcher: WebhookCatcher;
let server: Server;
let url = '';
/** Background work that the list waits for. */
let settled = Promise.resolve();

beforeAll(async () => {
  server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', 'http://local');
    void webhookRoutes(
      catcher,
      () => settled,
      () => [],
    )(request, response, target).then((answered) => {
      if (!answered) response.writeHead(418).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});
beforeEach(() => {
  catcher = new WebhookCatcher(openState(':memory:'), () => Date.UTC(2026, 0, 2));
  settled = Promise.resolve();
});

const event = (n: number, type = 'link.verified') =>
  JSON.stringify({ id: `evt_${n}`, type, createdAt: '2026-01-02T00:00:00.000Z', sequence: n, data: {} });

function deliver(name: string, body: string, signedWith = secret): Promise<Response> {
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(signedWith).sign('evt_1', at, body),
  };
  return fetch(`${url}/_local/webhooks/${name}`, { method: 'POST', headers, body });
}

function order(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${url}/_local/webhooks/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function deliveries(path = '') {
  const response = await fetch(`${url}/_local/webhooks${path}`, { headers: { accept: 'application/json' } });
  return (await response.json()) as { deliveries: Record<string, unknown>[] };
}

test('with the secret of the receiver, a signature is verified, and a wrong one is named', async () => {
  expect((await order('shop/secret', { secret })).status).toBe(200);
  await deliver('shop', event(1));
  await deliver('shop', event(2), `whsec_${Buffer.from('another secret').toString('base64')}`);
  await fetch(`${url}/_local/webhooks/shop`, { method: 'POST', body: event(3) });
  await deliver('other', event(4));
  const { deliveries: listed } = await deliveries();
  expect(listed.map(({ signature, problem }) => [signature, problem])).toEqual([
    ['unknown', undefined],
    ['wrong', 'Missing required headers'],
    ['wrong', 'No matching signature found'],
    ['verified', undefined],
  ]);
});

test('a receiver fails as often as it is told to, with the headers it is told to send, and others do not', async () => {
  const failing = { status: 503, headers: { 'retry-after': '120' }, times: 2 };
  expect((await order('shop/behaviour', failing)).status).toBe(200);
  const answers = [await deliver('shop', event(1)), await deliver('shop', event(2))];
  expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [503, '120'],
    [503, '120'],
  ]);
  expect((await deliver('other', event(3))).status).toBe(204);
  expect((await deliver('shop', event(4))).status).toBe(204);
  await order('shop/behaviour', { status: 410 });
  for (let i = 0; i < 5; i += 1) expect((await deliver('shop', event(i))).status).toBe(410);
  await order('shop/behaviour', { times: 0 });
  expect((await deliver('shop', event(9))).status).toBe(204);
});
