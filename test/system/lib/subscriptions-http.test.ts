/** Subscriptions over HTTP with the demo data: valid, invalid, repeated and concurrent requests. */

import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { type Answer, type Subscriber, startSubscriptionStack } from '../../support/subscriptions/stack.ts';

const webhookSecret = 'whsec_local';
let stack: Awaited<ReturnType<typeof startSubscriptionStack>>;
let offline: Subscriber;
let gateway: Subscriber;
let plans: Record<'offline' | 'gateway', Record<'trial' | 'paid', string>>;
beforeAll(async () => {
  stack = await startSubscriptionStack({
    STRIPE_SECRET_KEY: 'sk_test_local',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  });
  const demo = await stack.demo();
  offline = stack.known(demo.applications.offline._id, demo.applications.offline.apiKey);
  gateway = stack.known(demo.applications.gateway._id, demo.applications.gateway.apiKey);
  plans = demo.plans;
});
afterAll(() => stack.stop());
// Beyond the window of the rate limit: 50 requests a second for an application.
beforeEach(() => stack.clockBy(1));

/** The status and details of an error, after its body was compared with the contract. */
function refusal({ status, body, headers }: Answer): { status: number; error: string; details: unknown } {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(body).filter((name) => !['error', 'message', 'details'].includes(name))).toEqual([]);
  expect(body).toEqual(expect.objectContaining({ error: expect.any(String), message: expect.any(String) }));
  return { status, error: body.error, details: body.details };
}
let clients = 0;
const newClient = (of: Subscriber) => {
  clients += 1;
  return of.client(`walker-${clients}`);
};
const mailsOf = async (externalId: string) => stack.mails(`${externalId}@example.com`);

describe('both paths of an endpoint', () => {
  const both = async (method: string, path: string, body?: unknown, key = offline) => [
    await key.call(method, path, body),
    await key.call(method, `/api/v1${path}`, body),
  ];

  test('give the same response to a valid request', async () => {
    const name = await newClient(offline);
    const { id } = await offline.subscribe(name, plans.offline.paid);
    const { invoices, referenceNumber } = await offline.read(id);
    const calls: [string, string, unknown?][] = [
      ['GET', '/plans'],
      ['POST', `/subscriptions/${id}/activate`],
      ['GET', `/subscriptions/current?externalId=${name}`],
      ['GET', `/subscriptions?externalId=${name}`],
      ['GET', `/subscriptions?referenceNumber=${referenceNumber}`],
      ['GET', `/subscriptions/${id}`],
      ['GET', `/invoices/${invoices[0]?._id}`],
      ['POST', `/subscriptions/${id}`, { atPeriodEnd: true }],
    ];
    for (const [method, path, body] of calls) {
      const [short, long] = await both(method, path, body);
      expect(short?.status, path).toBe(200);
      expect(long?.body, path).toEqual(short?.body);
    }
    for (const [first, then] of [
      ['/uncancel', ''],
      ['/pause', '/resume'],
    ]) {
      const [short, long] = await Promise.all([
        offline.call('POST', `/subscriptions/${id}${first}`),
        offline.call('POST', `/api/v1/subscriptions/${id}${first}`),
      ]);
      expect([short.status, long.status].toSorted(), first).toEqual([200, 409]);
      if (then) expect((await offline.call('POST', `/api/v1/subscriptions/${id}${then}`)).status).toBe(200);
    }
    const registered = await both('POST', '/clients', { externalId: name, email: `${name}@example.com` });
    expect(registered.map(({ status }) => status)).toEqual([200, 200]);
    const made = await Promise.all(
      ['/subscriptions', '/api/v1/subscriptions'].map(async (path) => {
        const externalId = await newClient(offline);
        const { status, body } = await offline.call('POST', path, {
          externalId,
          planId: plans.offline.trial,
        });
        return [status, Object.keys(body.subscription)];
      }),
    );
    expect(made[0]).toEqual(made[1]);
    expect(made[0]?.[0]).toBe(201);
  });

  test.each([
    ['GET', '/plans', 200],
    ['POST', '/clients', 400],
    ['POST', '/subscriptions', 400],
    ['GET', '/subscriptions?status=unknown', 400],
    ['GET', '/subscriptions/current', 400],
    ['GET', '/subscriptions/current?externalId=nobody', 404],
    ['GET', '/subscriptions/sub_nobody', 404],
    ['POST', '/subscriptions/sub_nobody', 404],
    ['POST', '/subscriptions/sub_nobody/activate', 404],
    ['POST', '/subscriptions/sub_nobody/pause', 404],
    ['POST', '/subscriptions/sub_nobody/resume', 404],
    ['POST', '/subscriptions/sub_nobody/uncancel', 404],
    ['GET', '/invoices/inv_nobody', 404],
  ] as const)(
    'refuse alike what is wrong: %s %s without a key is 401, with one %i',
    async (method, path, status) => {
      const body = method === 'POST' ? {} : undefined;
      for (const answer of await both(method, path, body, stack.known('', 'vak_wrong'))) {
        expect(refusal(answer)).toMatchObject({ status: 401, error: 'invalid_token' });
      }
      const [short, long] = await both(method, path, body);
      expect(short?.status).toBe(status);
      expect(long).toEqual({ ...short, headers: expect.anything() });
      if (short !== undefined && status !== 200) refusal(short);
    },
  );
});

describe("another application's records", () => {
  test('do not exist for requests that read, list, change or pay them', async () => {
    const name = await newClient(offline);
    const { id, body } = await offline.subscribe(name, plans.offline.paid);
    const before = await offline.read(id);
    const invoiceId = before.invoices[0]?._id;
    const { referenceNumber } = body.subscription;
    for (const [method, path] of [
      ['GET', `/subscriptions/${id}`],
      ['GET', `/subscriptions/current?externalId=${name}`],
      ['GET', `/invoices/${invoiceId}`],
      ['POST', `/subscriptions/${id}`],
      ['POST', `/subscriptions/${id}/activate`],
      ['POST', `/subscriptions/${id}/pause`],
      ['POST', `/subscriptions/${id}/resume`],
      ['POST', `/subscriptions/${id}/uncancel`],
    ] as const) {
      expect(refusal(await gateway.call(method, path)), path).toMatchObject({ status: 404 });
    }
    for (const query of [`externalId=${name}`, `referenceNumber=${referenceNumber}`]) {
      expect((await gateway.call('GET', `/subscriptions?${query}`)).body).toEqual({ subscriptions: [] });
    }
    const theirs = await gateway.call('POST', '/subscriptions', {
      externalId: await newClient(gateway),
      planId: plans.offline.paid,
      successUrl: 'https://app.example/a',
      cancelUrl: 'https://app.example/b',
    });
    expect(refusal(theirs)).toMatchObject({ status: 404, details: { planId: 'is no plan of yours' } });
    // The invoice of another subscription does not pay this one.
    const other = await offline.subscribe(await newClient(offline), plans.offline.paid);
    const paid = await offline.call('POST', `/subscriptions/${other.id}/activate`, { invoiceId });
    expect(refusal(paid)).toMatchObject({ status: 404 });
    expect(await offline.read(id)).toEqual(before);
  });
});

describe('invalid input', () => {
  const good = { name: 'P', price: 10, currency: 'EUR', billingCycle: 'monthly' };

  test.each([
    [{ price: 9.999 }, 'price'],
    [{ price: 0.5, currency: 'JPY' }, 'price'],
    [{ price: -1 }, 'price'],
    [{ price: 1e21 }, 'price'],
    [{ price: '10' }, 'price'],
    [{ price: null }, 'price'],
    [{ currency: 'XXQ' }, 'currency'],
    [{ currency: 'eur' }, 'currency'],
    [{ billingCycle: 'daily' }, 'billingCycle'],
    [{ trialPeriodDays: 1.5 }, 'trialPeriodDays'],
    [{ trialPeriodDays: -1 }, 'trialPeriodDays'],
    [{ name: '' }, 'name'],
  ])('in a plan names the field: %j', async (fields, field) => {
    const answer = await stack.asOperator('POST', `/${offline._id}/plans`, { ...good, ...fields });
    expect(refusal(answer)).toMatchObject({
      status: 400,
      error: 'invalid_request',
      details: { [field]: expect.any(String) },
    });
  });

  test('that is not JSON is 400', async () => {
    for (const text of ['{"price":NaN}', '{', '']) {
      const answer = await stack.asOperator('POST', `/${offline._id}/plans`, text);
      expect(refusal(answer)).toMatchObject({ status: 400 });
    }
    for (const path of ['/clients', '/subscriptions']) {
      expect(refusal(await offline.call('POST', path, '{"externalId":'))).toMatchObject({ status: 400 });
    }
  });

  test.each([
    [{ email: 'nobody' }, 'email'],
    [{ externalId: '' }, 'externalId'],
    [{ externalId: 'x'.repeat(129) }, 'externalId'],
    [{ metadata: { text: 'x'.repeat(5 * 1024) } }, 'metadata'],
    [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) }, 'metadata'],
    [{ metadata: [1] }, 'metadata'],
  ])('in a client names the field: %#', async (fields, field) => {
    const answer = await offline.call('POST', '/clients', {
      externalId: 'bad',
      email: 'bad@example.com',
      ...fields,
    });
    expect(refusal(answer)).toMatchObject({ status: 400, details: { [field]: expect.any(String) } });
    const none = await offline.call('GET', '/subscriptions/current?externalId=bad');
    expect(none.status).toBe(404);
  });

  test.each([
    [{ startDate: 'tomorrow' }, 'startDate'],
    [{ startDate: '1970-01-01T00:00:00Z' }, 'startDate'],
    [{ startDate: '2099-01-01T00:00:00Z' }, 'startDate'],
    [{ startDate: -2 }, 'startDate'],
    [{ startDate: 367 }, 'startDate'],
    [{ successUrl: 'javascript:alert(1)' }, 'successUrl'],
    [{ successUrl: 'ftp://app.example/a' }, 'successUrl'],
    [{ successUrl: '/thanks' }, 'successUrl'],
    [{ successUrl: 'http://app.example/thanks' }, 'successUrl'],
    [{ cancelUrl: '//app.example' }, 'cancelUrl'],
    [{ cancelUrl: 'https://user:word@app.example/' }, 'cancelUrl'],
    [{ successUrl: undefined }, 'successUrl'],
    [{ cancelUrl: undefined }, 'cancelUrl'],
    [{ autoRenew: 'yes' }, 'autoRenew'],
    [{ planId: '' }, 'planId'],
  ])('in a subscription names the field, and creates none: %j', async (fields, field) => {
    const externalId = await newClient(gateway);
    const days = (fields as { startDate?: unknown }).startDate;
    const startDate =
      typeof days === 'number' ? new Date((await stack.now()) + days * 86_400_000).toISOString() : undefined;
    const answer = await gateway.call('POST', '/subscriptions', {
      externalId,
      planId: plans.gateway.paid,
      successUrl: 'https://app.example/a',
      cancelUrl: 'https://app.example/b',
      ...fields,
      ...defined({ startDate }),
    });
    expect(refusal(answer)).toMatchObject({ status: 400, details: { [field]: expect.any(String) } });
    const { body } = await gateway.call('GET', `/subscriptions?externalId=${externalId}`);
    expect(body).toEqual({ subscriptions: [] });
  });

  test('that names an unregistered client or a plan that is no longer sold names the field', async () => {
    const unknown = await offline.call('POST', '/subscriptions', {
      externalId: 'nobody',
      planId: plans.offline.paid,
    });
    expect(refusal(unknown)).toMatchObject({ status: 404, details: { externalId: 'is not registered' } });
    const planId = await offline.plan({ isActive: false });
    const unsold = await offline.call('POST', '/subscriptions', {
      externalId: await newClient(offline),
      planId,
    });
    expect(refusal(unsold)).toMatchObject({ status: 409, details: { planId: 'is not sold any more' } });
  });
});

describe('repeated and concurrent requests:', () => {
  test('ten activations buy one term and send one mail', async () => {
    const name = await newClient(offline);
    const { id } = await offline.subscribe(name, plans.offline.paid);
    expect(await mailsOf(name)).toHaveLength(1);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => offline.call('POST', `/subscriptions/${id}/activate`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => body.subscription.endDate)).size).toBe(1);
    expect((await offline.read(id)).timeline.map(({ event }) => event)).toEqual(['start', 'payment']);
    expect(await mailsOf(name)).toHaveLength(2);
  });

  test('ten that subscribe one client leave one pending subscription with one open invoice', async () => {
    const externalId = await newClient(offline);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        offline.call('POST', '/subscriptions', { externalId, planId: plans.offline.paid }),
      ),
    );
    for (const answer of answers) if (answer.status !== 201) expect(refusal(answer).status).toBe(409);
    const { subscriptions } = (await offline.call('GET', `/subscriptions?externalId=${externalId}`)).body;
    const created = answers.filter(({ status }) => status === 201);
    expect(subscriptions).toHaveLength(created.length);
    expect(subscriptions.filter(({ status }: { status: string }) => status === 'pending')).toHaveLength(1);
    const invoices = [];
    for (const { _id } of subscriptions) invoices.push(...(await offline.read(_id)).invoices);
    expect(invoices.filter(({ status }) => status === 'open')).toHaveLength(1);
  });

  test('ten with one Idempotency-Key create one subscription, and the key is bound to its body', async () => {
    const externalId = await newClient(gateway);
    const body = {
      externalId,
      planId: plans.gateway.paid,
      successUrl: 'https://app.example/a',
      cancelUrl: 'https://app.example/b',
    };
    const headers = { 'idempotency-key': `key-${externalId}` };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => gateway.call('POST', '/subscriptions', body, headers)),
    );
    const made = answers.filter(({ status }) => status === 201);
    for (const answer of answers) if (answer.status !== 201) expect(refusal(answer).status).toBe(409);
    expect(new Set(made.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const again = await gateway.call('POST', '/api/v1/subscriptions', body, headers);
    expect([again.status, again.body]).toEqual([201, made[0]?.body]);
    const other = await gateway.call('POST', '/subscriptions', { ...body, autoRenew: false }, headers);
    expect(refusal(other)).toMatchObject({ status: 422, error: 'idempotency_mismatch' });
    const list = await gateway.call('GET', `/subscriptions?externalId=${externalId}`);
    expect(list.body.subscriptions).toHaveLength(1);
  });

  test('ten that register one client create it once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        offline.call('POST', '/clients', { externalId: 'crowd', email: 'crowd@example.com' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
  });

  test('two cancellations send one mail, and nothing revives the subscription', async () => {
    const name = await newClient(offline);
    const { id } = await offline.subscribe(name, plans.offline.paid);
    expect(await mailsOf(name)).toHaveLength(1);
    const answers = await Promise.all([1, 2, 3].map(() => offline.call('POST', `/subscriptions/${id}`)));
    expect(answers.map(({ status, body }) => [status, body.subscription.status])).toEqual(
      Array(3).fill([200, 'cancelled']),
    );
    for (const path of ['/activate', '/pause', '/resume', '/uncancel']) {
      expect(refusal(await offline.call('POST', `/subscriptions/${id}${path}`)), path).toMatchObject({
        status: 409,
        error: 'invalid_transition',
        details: { status: 'cancelled' },
      });
    }
    const { timeline, invoices } = await offline.read(id);
    expect(timeline.map(({ event }) => event)).toEqual(['start', 'cancel']);
    expect(invoices.map(({ status }) => status)).toEqual(['void']);
    expect(await mailsOf(name)).toHaveLength(2);
  });

  test('two payments on the sandbox page and a concurrent manual one buy one term and send one mail', async () => {
    const name = await newClient(gateway);
    const { id, body } = await gateway.subscribe(name, plans.gateway.paid);
    const [first, second, confirmed] = await Promise.all([
      stack.choose(body.checkoutUrl, 'pay'),
      stack.choose(body.checkoutUrl, 'pay'),
      gateway.call('POST', `/subscriptions/${id}/activate`),
    ]);
    expect(confirmed.status).toBe(200);
    for (const { status } of [first, second]) expect([303, 409]).toContain(status);
    const { timeline, endDate, termStart } = await gateway.read(id);
    expect(timeline.filter(({ event }) => event === 'payment')).toHaveLength(1);
    expect(Date.parse(endDate ?? '') - Date.parse(termStart ?? '')).toBeLessThan(32 * 86_400_000);
    expect(await mailsOf(name)).toHaveLength(1);
  });
});

describe("Stripe's webhook", () => {
  let seller: Subscriber;
  beforeAll(async () => {
    seller = await stack.application({ paymentGateway: 'stripe' });
  });

  /** A pending subscription with Stripe, and the event of its payment. */
  async function waiting() {
    const name = await newClient(seller);
    const { id } = await seller.subscribe(name, await seller.plan());
    const invoiceId = (await seller.read(id)).invoices[0]?._id;
    const object = {
      id: `cs_${id}`,
      object: 'checkout.session',
      payment_status: 'paid',
      payment_intent: `pi_${id}`,
      amount_total: 1000,
      currency: 'eur',
      metadata: { applicationId: seller._id, invoiceId },
    };
    const event = {
      id: `evt_${id}`,
      object: 'event',
      type: 'checkout.session.completed',
      data: { object },
    };
    return { name, id, payload: JSON.stringify(event) };
  }
  const signed = async (payload: string, secret = webhookSecret, olderSeconds = 0) => ({
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp: Math.floor((await stack.now()) / 1000) - olderSeconds,
    }),
  });
  const report = (payload: string, headers: Record<string, string>) =>
    stack.sendJson('POST', `/webhooks/stripe/${seller._id}`, payload, headers);

  test('changes nothing without a signature, with a wrong or an old one, or with another body', async () => {
    const { id, payload } = await waiting();
    for (const headers of [
      {},
      { 'stripe-signature': 't=1,v1=00' },
      await signed(payload, 'whsec_other'),
      await signed(payload, webhookSecret, 301),
      await signed(`${payload} `),
    ]) {
      expect(refusal(await report(payload, headers))).toMatchObject({
        status: 400,
        error: 'invalid_request',
      });
    }
    expect((await seller.read(id)).timeline.map(({ event }) => event)).toEqual(['start']);
  });

  test('pays one term and sends one mail for ten concurrent deliveries and one a day later', async () => {
    const { id, name, payload } = await waiting();
    const headers = await signed(payload);
    const answers = await Promise.all(Array.from({ length: 10 }, () => report(payload, headers)));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    await stack.clockBy(86_400);
    expect((await report(payload, await signed(payload))).status).toBe(200);
    const { timeline, status } = await seller.read(id);
    expect([status, ...timeline.map(({ event }) => event)]).toEqual(['active', 'start', 'payment']);
    expect(await mailsOf(name)).toHaveLength(1);
  });
});
