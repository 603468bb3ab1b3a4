import type { Answer, Request } from '../load/load.ts';

/** What the subscriptions of a run are. */
export interface Mix {
  trialPeriodDays: number;
  /** The first invoice is paid by bank transfer. */
  paid?: true;
}

/** What a run took and did. */
export interface ClockRun {
  createSeconds: number;
  seconds: number;
  /** Of the processor, in the process of handlers, mailbox and state machines: what others do on the machine adds little. */
  cpuSeconds: number;
  /** Changes that timers made. */
  steps: number;
  mails: number;
}

export const clockDays = 400;
export const subscriptionCount = 1_000;

/** One may ask 50 times a second. */
const applications = 25;
const atOnce = 8;

type Send = (request: Request) => Promise<Answer>;
type Post = (path: string, body: object) => Promise<Answer>;

/** Sends with a secret. */
function posting(send: Send, secret: string): Post {
  const headers = { authorization: `Bearer ${secret}` };
  return (path, body) => send({ method: 'POST', path, headers, body });
}

/** Who sells, and what. */
export interface Shop {
  apiKey: string;
  planId: string;
  post: Post;
}

/** Subscribes many over HTTP, of several applications in turn. @returns the ids of their subscriptions. */
export async function subscribers(send: Send, mix: Mix): Promise<string[]> {
  const shops = await openShops(send, applications, mix);
  const ids: string[] = [];
  let next = 0;
  const working = async () => {
    for (let n = next++; n < subscriptionCount; n = next++) {
      const { post, planId } = shops[n % applications] as Shop;
      const externalId = `user-${n}`;
      await post('/clients', { externalId, email: `${externalId}@example.com`, name: 'Ann' });
      const { subscription } = await post('/subscriptions', { externalId, planId });
      if (mix.paid) await post(`/subscriptions/${subscription._id}/activate`, {});
      ids.push(subscription._id);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, working));
  return ids;
}

/** Applications that are paid by bank transfer, each with a plan by the month. */
export async function openShops(send: Send, count: number, { trialPeriodDays }: Mix): Promise<Shop[]> {
  const { operatorKey } = await send({ method: 'GET', path: '/_local/demo' });
  const asOperator = posting(send, operatorKey);
  const shops: Shop[] = [];
  for (let i = 0; i < count; i += 1) {
    const { application, apiKey } = await asOperator('/api/operator/applications', {
      name: `Bench ${i}`,
      redirectUris: ['https://app.example/callback'],
      settings: {
        banking: { accountHolder: 'Example Ltd', bankName: 'Example Bank', iban: 'DE02120300000000202051' },
      },
    });
    const { plan } = await asOperator(`/api/operator/applications/${application._id}/plans`, {
      name: 'Pro',
      description: 'All of it.',
      price: 9.99,
      currency: 'EUR',
      billingCycle: 'monthly',
      trialPeriodDays,
      features: ['Everything'],
      isActive: true,
    });
    shops.push({ apiKey, planId: plan._id, post: posting(send, apiKey) });
  }
  return shops;
}
