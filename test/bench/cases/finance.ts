import { type Call, call, good, newSeller, type Tenant } from '../../support/call.ts';
import * as population from '../../support/lists/population.ts';
import { goodPayment, recordPayment } from '../../support/samples/finance.ts';
import { asFile, camt, entryXml } from '../../support/statements/bank-files.ts';
import { invoiceRecord, subscriptionRecord } from '../../support/subscriptions/records.ts';
import { type Case, row, sampled } from './case.ts';

/** A payment that fits nothing. */
async function unapplied() {
  return { headers: (await newSeller()).headers, body: goodPayment() };
}

/** A payment that was recorded a moment ago. */
async function repeated() {
  const seller = await newSeller();
  const body = goodPayment();
  good(await recordPayment(seller, body));
  return { headers: seller.headers, body };
}

/** A statement of entries that nothing is known of. */
async function unknown(count: number): Promise<Call> {
  const seller = await newSeller();
  const entries = Array.from({ length: count }, (_, i) => entryXml({ bankId: `A-${i}` }));
  return { headers: seller.headers, body: { format: 'camt.053', file: asFile(camt(entries)) } };
}

/** A confirmed statement of one entry, as the state machine hands it over. */
async function confirmed(): Promise<Call> {
  const seller = await newSeller();
  const headers = seller.headers;
  const { body } = await call('statements.create', { ...(await unknown(1)), headers });
  const statementId: string = body.statement._id;
  await call('statements.confirm', { headers, params: { id: statementId } });
  return { body: { applicationId: seller.applicationId, statementId } };
}

const concurrentWrites = 50;

/**
 * Clients of a seller, each with a subscription, two invoices and two payments, a minute apart. Most subscriptions are
 * active, most invoices paid, most payments applied.
 */
async function populate(
  { applicationId }: Pick<Tenant, 'applicationId'>,
  from: number,
  to: number,
): Promise<void> {
  const firstMs = Date.UTC(2026, 0, 1);
  const one = async (i: number) => {
    const atMs = firstMs + i * 60_000;
    const isRare = i % 10 === 0;
    const subscription = subscriptionRecord({
      applicationId,
      externalId: `user-${i}`,
      status: isRare ? 'past_due' : 'active',
      createdAtMs: atMs,
    });
    const fields = { issuedAtMs: atMs, dueAtMs: atMs };
    const payment = { externalId: `user-${i}`, recordedAtMs: atMs, valueAtMs: atMs };
    await Promise.all([
      population.putClient(applicationId, `user-${i}`, atMs),
      population.putSubscriptionAlone(subscription),
      population.putInvoice(invoiceRecord(subscription, 1, { ...fields, status: 'paid' })),
      population.putInvoice(invoiceRecord(subscription, 2, { ...fields, status: isRare ? 'open' : 'paid' })),
      population.putPayment(population.paymentRecord({ applicationId }, payment)),
      population.putPayment(
        population.paymentRecord(
          { applicationId },
          isRare ? { ...payment, status: 'unapplied', allocations: [] } : payment,
        ),
      ),
    ]);
  };
  for (let i = from; i < to; i += concurrentWrites) {
    const count = Math.min(concurrentWrites, to - i);
    await Promise.all(Array.from({ length: count }, (_, n) => one(i + n)));
  }
}

const page =
  (query: Record<string, string> = {}) =>
  async () => {
    const seller = await newSeller();
    await populate(seller, 0, 300);
    return { headers: seller.headers, query: { limit: '50', ...query } };
  };

export const financeCases: readonly Case[] = [
  sampled('statements.create', '1 entry'),
  row('statements.create', '1,000 entries', () => unknown(1_000), 201),
  sampled('statements.confirm', '1 decision'),
  row('statements.run-import', '1 entry', confirmed),
  { ...sampled('payments.create'), again: 200 },
  { ...row('payments.create', 'unapplied', unapplied, 201), again: 200 },
  row('payments.create', 'reported again', repeated),
  row('subscriptions.list', '50 of all 300', page()),
  row('invoices.list', '50 of 600', page()),
  row('invoices.list', '30 overdue of 600', page({ overdue: 'true' })),
  row('clients.list', '50 of 300', page()),
  row('payments.list', '50 of 600', page()),
  row('payments.list', '30 unapplied of 600', page({ unapplied: 'true' })),
  sampled('reports.receivables-read'),
  row('reports.receivables-read', 'rows', async () => {
    const { headers, query } = await page()();
    return { headers: { ...headers, accept: 'text/csv' }, query };
  }),
  row('reports.revenue-read', '1,500 records', async () => {
    const { headers } = await page()();
    return { headers, query: { from: '2026-01-01' } };
  }),
];
