import { randomUUID } from 'node:crypto';
import { openShops, type Shop } from '../clock/mixes.ts';
import { printTable, round } from '../print.ts';
import { ask, concurrency, load, type Request } from './load.ts';
import { startServer } from './server.ts';

const count = 2_000;
const creations = 1_000;
/** One application may send 50 requests a second. */
const applications = 40;

/** Requests per second of applications over HTTP, on a stack of its own. */
export async function benchSubscriptionHttp(): Promise<void> {
  const { child, url } = await startServer();
  try {
    const send = (request: Request) => ask(url, request, { localAddress: '127.0.0.1' });
    const trials = await openShops(send, applications, { trialPeriodDays: 14 });
    const offline = await openShops(send, applications, { trialPeriodDays: 0 });
    const clients = await registered(url, trials, 4);
    const newcomers = await registered(url, offline, 5);
    const all = { perAddress: count, count: creations };

    const onTrial = await load(url, { ...all, network: 6 }, (n) => [
      subscription(trials, clients, n),
      () => undefined,
    ]);
    const read = await load(url, { perAddress: count, count, network: 7 }, (n) => [
      {
        method: 'GET',
        path: `/subscriptions/current?externalId=${clients[n % creations]}`,
        headers: authorized(shopOf(trials, n % creations)),
      },
      ({ subscription: { status, entitled } }) => {
        if (status !== 'trialing' || entitled !== true) throw new Error(`It is ${status}`);
      },
    ]);
    const byTransfer = await load(url, { ...all, network: 8 }, (n) => [
      subscription(offline, newcomers, n),
      () => undefined,
    ]);
    const rate = (perSecond: number) => `${round(perSecond, 0)} per second`;
    printTable(
      `Subscriptions over HTTP on this machine, ${concurrency} at a time, data in memory`,
      ['what', 'figure', 'budget'],
      [
        ['current subscription read', rate(read), '-'],
        ['trials created', rate(onTrial), '-'],
        ['created by bank transfer, with their mails', rate(byTransfer), '-'],
      ],
    );
  } finally {
    child.kill('SIGTERM');
  }
}

const shopOf = (shops: readonly Shop[], n: number) => shops[n % shops.length] as Shop;
const authorized = ({ apiKey }: Shop) => ({ authorization: `Bearer ${apiKey}` });

/** A client of each shop in turn. */
async function registered(url: string, shops: readonly Shop[], network: number): Promise<string[]> {
  const ids = Array.from({ length: creations }, () => `user-${randomUUID()}`);
  await load(url, { count: creations, perAddress: creations, network }, (n) => [
    {
      method: 'POST',
      path: '/clients',
      headers: authorized(shopOf(shops, n)),
      body: { externalId: ids[n], email: `${ids[n]}@example.com`, name: 'Ann' },
    },
    () => undefined,
  ]);
  return ids;
}

function subscription(shops: readonly Shop[], clients: readonly string[], n: number): Request {
  const shop = shopOf(shops, n);
  return {
    method: 'POST',
    path: '/subscriptions',
    headers: authorized(shop),
    body: { externalId: clients[n], planId: shop.planId },
  };
}
