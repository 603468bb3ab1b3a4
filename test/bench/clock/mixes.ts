import type { Request, ResponseBody } from '../load/load.ts';

/** The kind of subscriptions of a run. */
export interface Mix {
  trialPeriodDays: number;
  /** The first invoice is paid by bank transfer. */
  paid?: true;
}

/** The measurements of a run. */
export interface ClockRun {
  createSeconds: number;
  seconds: number;
  /** CPU time of the process with handlers, mailbox and state machines. Other load on the machine adds little to it. */
  cpuSeconds: number;
  /** Transitions that timers made. */
  steps: number;
  mails: number;
}

export const clockDays = 400;
export const subscriptionCount = 1_000;

/** One application may send 50 requests a second. */
const applications = 25;
const concurrency = 8;

type Send = (request: Request) => Promise<ResponseBody>;
type Post = (path: string, body: object) => Promise<ResponseBody>;

/** Posts with a secret. */
function posting(send: Send, secret: string): Post {
  const headers = { authorization: `Bearer ${secret}` };
  return (path, body) => send({ method: 'POST', path, headers, body });
}

/** An application and its plan. */
export interface Shop {
  apiKey: string;
  planId: string;
  post: Post;
}

/** Subscribes clients of several applications over HTTP. @returns the ids of their subscriptions. */
export async function subscribers(send: Send, mix: Mix): Promise<string[]> {
  const shops = await openShops(send, applications, mix);
  const ids: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < subscriptionCount; n = next++) {
      const { post, planId } = shops[n % applications] as Shop;
      const externalId = `user-${n}`;
      await post('/clients', { externalId, email: `${externalId}@example.com`, name: 'Ann' });
      const { subscription } = await post('/subscriptions', { externalId, planId });
      if (mix.paid) await post(`/subscriptions/${subscription._id}/activate`, {});
      ids.push(subscription._id);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return ids;
}

/** Creates applications that are paid by bank transfer, each with a monthly plan. */
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
