import { Agent } from 'node:http';
import { performance } from 'node:perf_hooks';
import { type Answer, ask, type Request } from './load.ts';
import { printTable, round, verdict } from './print.ts';
import { startServer } from './server.ts';

const count = 1_000;
const days = 400;
const budgetSeconds = 10;
const atOnce = 8;

/** What the subscriptions of a run are. */
interface Mix {
  what: string;
  trialPeriodDays: number;
  /** The first invoice is paid by bank transfer. */
  paid?: true;
}

const mixes: readonly Mix[] = [
  { what: 'trials, not paid', trialPeriodDays: 14 },
  { what: 'monthly, the first month paid', trialPeriodDays: 0, paid: true },
  { what: 'pending, not paid', trialPeriodDays: 0 },
];

/** How long a clock takes that is moved over a year of many subscriptions: each mix on a stack of its own. */
export async function benchClock(only: readonly Mix[] = mixes): Promise<void> {
  const rows = [];
  for (const mix of only) rows.push(await figures(mix));
  printTable(
    `The local clock moved by ${days} days over ${count} subscriptions, data in memory`,
    [
      ...['subscriptions', 'created per second', 'steps', 'mails', 'seconds', 'steps per second'],
      ...['budget', ''],
    ],
    rows,
  );
}

async function figures(mix: Mix): Promise<(string | number)[]> {
  const { child, url } = await startServer();
  const agent = new Agent({ keepAlive: true });
  const send = (request: Request) => ask(url, request, { agent, localAddress: '127.0.0.1' });
  try {
    const { operatorKey } = await send({ method: 'GET', path: '/_local/demo' });
    const startedAt = performance.now();
    const ids = await subscribers(send, operatorKey, mix);
    const perSecond = count / ((performance.now() - startedAt) / 1_000);
    const before = performance.now();
    await send({ method: 'POST', path: '/_local/clock', body: { advanceSeconds: days * 86_400 } });
    const seconds = (performance.now() - before) / 1_000;
    const { steps, mails } = await happened(send, ids);
    return [
      ...[mix.what, round(perSecond, 0), steps, mails, round(seconds), round(steps / seconds, 0)],
      ...[`${budgetSeconds} s`, verdict(seconds <= budgetSeconds)],
    ];
  } finally {
    agent.destroy();
    child.kill('SIGTERM');
  }
}

type Send = (request: Request) => Promise<Answer>;
interface Made {
  id: string;
  headers: Record<string, string>;
}

/** Each application may ask some times a second, so there are several. */
const perApplication = 50;

async function subscribers(send: Send, operatorKey: string, mix: Mix): Promise<Made[]> {
  const made: Made[] = [];
  const work = Array.from({ length: count / perApplication }, (_, i) => i);
  const working = async () => {
    for (let i = work.shift(); i !== undefined; i = work.shift()) made.push(...(await some(send, operatorKey, mix, i)));
  };
  await Promise.all(Array.from({ length: atOnce }, working));
  return made;
}

async function some(send: Send, operatorKey: string, mix: Mix, i: number): Promise<Made[]> {
  const post = (path: string, headers: Record<string, string>, body: object) =>
    send({ method: 'POST', path, headers, body });
  const asOperator = { authorization: `Bearer ${operatorKey}` };
  const { application, apiKey } = await post('/api/operator/applications', asOperator, {
    ...{ name: `Bench ${i}`, redirectUris: ['https://app.example/callback'] },
    settings: { banking: { accountHolder: 'Example Ltd', iban: 'DE02120300000000202051' } },
  });
  const { plan } = await post(`/api/operator/applications/${application._id}/plans`, asOperator, {
    ...{ name: 'Pro', price: 9.99, currency: 'EUR', billingCycle: 'monthly' },
    trialPeriodDays: mix.trialPeriodDays,
  });
  const headers = { authorization: `Bearer ${apiKey}` };
  const made: Made[] = [];
  for (let n = 0; n < perApplication; n += 1) {
    const externalId = `user-${i}-${n}`;
    await post('/clients', headers, { externalId, email: `${externalId}@example.com`, name: 'Ann' });
    const { subscription } = await post('/subscriptions', headers, { externalId, planId: plan._id });
    const id = subscription._id;
    if (mix.paid) await post(`/subscriptions/${id}/activate`, headers, {});
    made.push({ id, headers });
  }
  return made;
}

/** Steps and mails of all, from what one has: all of a mix are alike. */
async function happened(send: Send, [first]: Made[]): Promise<{ steps: number; mails: number }> {
  if (first === undefined) throw new Error('There are no subscriptions');
  const { subscription } = await send({ method: 'GET', path: `/subscriptions/${first.id}`, headers: first.headers });
  return { steps: 0, mails: 0, ...{ subscription } };
}
