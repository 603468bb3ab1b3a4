/** One stack whose process is killed while it imports the file of a bank, and then while timers run. */
import { asFile, camt, entryXml } from '../../../support/statements/bank-files.ts';
import { killableStack } from '../../../support/subscriptions/killable-stack.ts';
import type { Subscriber } from '../../../support/subscriptions/stack.ts';
import { samples } from '../../../support/thoroughness.ts';

const { start, kill } = killableStack();
let stack: Awaited<ReturnType<typeof start>>;
let seller: Subscriber;

beforeAll(async () => {
  stack = await start();
  seller = await stack.application();
});

async function killAndStart(): Promise<void> {
  await kill();
  stack = await start();
  seller = stack.known(seller._id, seller.apiKey);
}

/** All entries of a list of the seller. */
async function listed<Entry>(path: string, field: string, after: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let hasMore = true, cursor = ''; hasMore; ) {
    const { status, body } = await seller.call('GET', `${path}?limit=100${cursor}`);
    expect(status).toBe(200);
    found.push(...body[field]);
    cursor = `&${after}=${body.nextCursor}`;
    hasMore = body.hasMore ?? body.nextCursor !== undefined;
  }
  return found;
}

interface ListedPayment {
  amount: number;
  credited: number;
  subscriptionId?: string;
  applied: { amount: number }[];
}
const allPayments = () => listed<ListedPayment>('/api/v1/payments', 'payments', 'cursor');

const count = 120;

test('each kill -9 while a bank statement is imported loses no entry, and records none twice', async () => {
  const plan = await seller.plan();
  const { id } = await seller.subscribe(await seller.client('payer'), plan);
  const { referenceNumber } = await seller.read(id);
  // Every tenth entry pays the same subscription: the others wait for a decision.
  const file = asFile(
    camt(
      Array.from({ length: count }, (_, i) =>
        entryXml({ bankId: `B-${i}`, amount: `${i + 1}.00`, text: i % 10 === 0 ? referenceNumber : 'Danke' }),
      ),
    ),
  );
  const sent = await seller.call('POST', '/api/v1/bank-statements', { format: 'camt.053', file });
  expect([sent.status, sent.body.statement.matches]).toMatchObject([
    201,
    { matched: count / 10, unknown: count * 0.9 },
  ]);
  const statementId = sent.body.statement._id;
  expect((await seller.call('POST', `/api/v1/bank-statements/${statementId}/confirm`, {})).status).toBe(202);

  const paymentCount = async () => (await allPayments()).length;
  let recorded = 0;
  for (let kills = samples({ few: 1, many: 3 }); kills > 0 && recorded < count; kills -= 1) {
    const before = recorded;
    const goesOn = async () => expect(await paymentCount()).toBeGreaterThan(before);
    await vi.waitFor(goesOn, { timeout: 60_000, interval: 5 });
    await killAndStart();
    recorded = await paymentCount();
    // The first kill comes in the middle.
    if (before === 0) expect(recorded).toBeLessThan(count);
  }
  await vi.waitFor(
    async () => {
      const { body } = await seller.call('GET', `/api/v1/bank-statements/${statementId}`);
      expect(body.statement.status).toBe('imported');
    },
    { timeout: 120_000, interval: 500 },
  );

  const { body } = await seller.call('GET', `/api/v1/bank-statements/${statementId}`);
  expect(body.statement.progress).toMatchObject({ done: count, results: { failed: 0, duplicate: 0 } });
  const payments = await allPayments();
  expect(payments).toHaveLength(count);
  expect(new Set(payments.map(({ amount }) => amount)).size).toBe(count);
  // The money of the subscription is there once: the sum of 1, 11, 21, …
  const ofSubscription = payments.filter(({ subscriptionId }) => subscriptionId === id);
  const sum = (field: 'amount' | 'credited') =>
    ofSubscription.reduce((total, payment) => total + payment[field], 0);
  const { invoices } = await seller.read(id);
  const paid = invoices.filter(({ status }) => status === 'paid');
  const creditUsed = sum('credited');
  const applied = payments.flatMap(({ applied }) => applied).reduce((total, part) => total + part.amount, 0);
  expect(ofSubscription).toHaveLength(count / 10);
  expect(sum('amount')).toBe(applied + creditUsed);
  expect(paid).toHaveLength(1);
});

test('each kill -9 while timers run loses no step, repeats none, and loses no mail and no event', async () => {
  const year = new Date(await stack.now()).getUTCFullYear() + 1;
  await stack.clockTo(`${year}-04-01T00:00:20Z`);
  const free = await seller.plan({ price: 0, billingCycle: 'weekly' });
  const trial = await seller.plan({ trialPeriodDays: 14 });
  const begin = async (name: string, planId: string) => {
    const { id } = await seller.subscribe(await seller.client(name), planId);
    await seller.call('POST', `/subscriptions/${id}/activate`);
    return id;
  };
  const renewedFree = await Promise.all([1, 2].map((n) => begin(`free-${n}`, free)));
  const overdue = await Promise.all([1, 2].map((n) => begin(`overdue-${n}`, trial)));

  const end = `${year}-06-10T00:00:00Z`;
  const many = ['04-15', '05-15', '05-16', '05-29'];
  for (const point of samples({ few: ['05-15'], many })) {
    const moving = stack.clockTo(end).then(
      () => 'arrived',
      () => 'cut off',
    );
    // On its way it has come to the day at which a term ends, or is due to.
    const there = Date.parse(`${year}-${point}`);
    await vi.waitFor(async () => expect(await stack.now()).toBeGreaterThan(there), {
      interval: 5,
      timeout: 60_000,
    });
    await killAndStart();
    expect(await moving).toBe('cut off');
    // A mail in progress is sent once its lease is over.
    await stack.clockBy(600);
  }
  await stack.clockTo(end);
  await stack.clockBy(600);

  for (const id of renewedFree) {
    const { timeline, status } = await seller.read(id);
    const renewals = timeline.filter(({ event }) => event === 'renewal_invoice').map(({ at }) => at);
    expect(status).toBe('active');
    expect(renewals).toHaveLength(10);
    const gaps = renewals.slice(1).map((at, i) => Date.parse(at) - Date.parse(renewals[i] ?? ''));
    expect(new Set(gaps)).toEqual(new Set([7 * 86_400_000]));
  }
  for (const [i, id] of overdue.entries()) {
    const { timeline } = await seller.read(id);
    expect(timeline.map(({ at, event }) => `${at.slice(5, 10)} ${event}`)).toEqual([
      ...['04-01 start', '04-01 payment', '05-08 renewal_invoice', '05-15 term_end'],
      ...['05-15', '05-17', '05-22', '05-29'].map((day) => `${day} dunning_reminder`),
      '06-05 dunning_end',
    ]);
    const mails = await stack.mails(`overdue-${i + 1}@example.com`);
    // Sent at least once: a mail that was just sent when the process died may be sent again.
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(7);
  }

  // The events of a subscription are numbered: a lost one leaves a gap among those of the last 30 days.
  const events = await listed<{ data: { _id?: string }; sequence: number }>(
    '/api/v1/events',
    'events',
    'after',
  );
  for (const id of [...renewedFree, ...overdue]) {
    const own = events.filter(({ data }) => data._id === id).map(({ sequence }) => sequence);
    const [first = 0] = own.sort((a, b) => a - b);
    expect(own.length).toBeGreaterThan(1);
    expect(own).toEqual(own.map((_, i) => first + i));
  }
});
