/** The lists and the revenue report of a walk, against a recount of the books. */
import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { call, good } from '../../call.ts';
import { type Books, dueOf } from './books.ts';
import type { Shop } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: a record as a list returns it, or as it lies in the table.
type Fields = Record<string, any>;

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Differences of the lists and the reports from the books, in sentences. */
export async function recountFaults(shop: Shop, startMs: number, books: Books): Promise<string[]> {
  return [
    ...(await listFaults(shop, books)),
    ...(await reportFaults(shop, startMs, books)),
    ...(await taxFaults(shop, startMs, books)),
  ];
}

/** Every record of a list, read page by page. */
async function listed({ seller }: Shop, route: string, name: string): Promise<Fields[]> {
  const records: Fields[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: '100', ...defined({ cursor }) };
    const body = good(await call(route, { headers: seller.headers, query }));
    records.push(...body[name]);
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return records;
}

async function listFaults(shop: Shop, books: Books): Promise<string[]> {
  const [subscriptions, invoices, payments, clients] = await Promise.all([
    listed(shop, 'subscriptions.list', 'subscriptions'),
    listed(shop, 'invoices.list', 'invoices'),
    listed(shop, 'payments.list', 'payments'),
    listed(shop, 'clients.list', 'clients'),
  ]);
  return [
    ...differences('subscriptions', subscriptions.map(idAndStatus), books.subscriptions, 'subscriptionId'),
    ...differences(
      'invoices',
      invoices.map((one) => `${idAndStatus(one)} ${minor(one.amountDue)}`),
      books.invoices.map((one) => Object.assign({ dueMinor: dueOfInvoice(one) }, one)),
      'invoiceId',
    ),
    ...differences(
      'payments',
      payments.map((one) => `${idAndStatus(one)} ${minor(one.waiting)}`),
      books.payments.map((one) => Object.assign({ dueMinor: waitingOf(one) }, one)),
      'paymentId',
    ),
    ...invoices.flatMap(faultsOfSums),
    ...(clients.length === books.clients.length ? [] : ['The list of clients is not complete']),
  ];
}

/** The sums of an invoice add up to its total. */
function faultsOfSums(invoice: Fields): string[] {
  const { number, total, amountPaid, amountRefunded, amountFromCredit, amountToCredit } = invoice;
  const { amountCredited, amountWrittenOff, amountDue } = invoice;
  const plus = [amountPaid, amountFromCredit, amountCredited, amountWrittenOff, amountDue].map(minor);
  const minus = [amountRefunded, amountToCredit].map(minor);
  const all = [...plus, ...minus];
  const isSound = all.every((one) => one >= 0) && sum(plus) - sum(minus) === minor(total);
  return isSound ? [] : [`The sums of ${number} do not add up to ${total}: ${all.join(', ')}`];
}

/** The last balances of a client's statement are what is due of their invoices, less their credit. */
export async function statementFaults({ seller }: Shop, books: Books): Promise<string[]> {
  const faults = books.clients.map(async ({ externalId, credit = {} }) => {
    const answer = await call('journal.account-statement', {
      headers: seller.headers,
      params: { externalId },
    });
    const { statement } = good(answer);
    const shown = ['EUR', 'USD'].map((currency) => {
      const closing = statement.closingBalances.find((one: Fields) => one.currency === currency);
      return `${currency} ${minor(closing?.balance ?? 0)}`;
    });
    const counted = ['EUR', 'USD'].map((currency) => {
      const own = books.invoices.filter((one) => one.currency === currency && one.externalId === externalId);
      return `${currency} ${sum(own.map(dueOfInvoice)) - (credit[currency] ?? 0)}`;
    });
    return isDeepStrictEqual(shown, counted)
      ? []
      : [`The statement ends at ${shown.join(', ')}, not ${counted.join(', ')}`];
  });
  return (await Promise.all(faults)).flat();
}

const idAndStatus = ({ _id, status }: Fields) => `${_id} ${status}`;
const minor = (amount: number) => Math.round(amount * 100);

function differences(
  what: string,
  shown: readonly string[],
  stored: readonly Fields[],
  id: string,
): string[] {
  const expected = stored.map((one) =>
    [one[id], one.status, one.dueMinor].filter((x) => x !== undefined).join(' '),
  );
  const extra = shown.filter((one) => !expected.includes(one));
  const missing = expected.filter((one) => !shown.includes(one));
  const isEqual = extra.length === 0 && missing.length === 0 && shown.length === expected.length;
  return isEqual ? [] : [`The list of ${what} has ${extra.join(', ')} and not ${missing.join(', ')}`];
}

const dueOfInvoice = (invoice: Fields) => (invoice.status === 'open' ? dueOf(invoice) : 0);

const goneOf = ({ returnedMinor = 0, refundedMinor = 0, disputedMinor = 0 }: Fields) =>
  returnedMinor + refundedMinor + disputedMinor;

function waitingOf(payment: Fields): number {
  const { amountMinor, allocations = [], creditedMinor = 0 } = payment;
  return (
    amountMinor - sum(allocations.map((part: Fields) => part.amountMinor)) - creditedMinor - goneOf(payment)
  );
}

/** Terms in a year. */
const perYear: Readonly<Record<string, number>> = { weekly: 52, monthly: 12 };

/** A term of another plan that was paid early counts from its start. */
const presentPlan = ({ plan, paidTerms = [] }: Fields): Fields =>
  paidTerms.find(({ untilMs }: Fields) => untilMs > Date.now())?.plan ?? plan;

/** A report over the whole walk. */
async function reportFaults({ seller }: Shop, startMs: number, books: Books): Promise<string[]> {
  const from = new Date(startMs - 100 * 86_400_000).toISOString();
  const { report } = good(await call('reports.revenue-read', { headers: seller.headers, query: { from } }));
  const arrived = books.payments.filter(
    ({ status, neverArrived, valueAtMs }) =>
      status !== 'processing' && neverArrived !== true && valueAtMs < Date.parse(report.to),
  );
  const paying = books.subscriptions
    .filter(({ status }) => status === 'active' || status === 'past_due')
    .map((one) => ({ status: one.status, plan: presentPlan(one) }));
  const faults: string[] = [];
  for (const {
    currency,
    recurring,
    invoiced,
    credited,
    cancelled,
    writtenOff,
    paid,
    received,
    returned,
    outstanding,
  } of report.currencies) {
    const of = (items: readonly Fields[]) => items.filter((item) => item.currency === currency);
    const settledOf = (name: string) => sum(of(books.invoices).map(({ settled = {} }) => settled[name] ?? 0));
    const shown = {
      invoiced: minor(invoiced),
      credited: minor(credited),
      cancelled: minor(cancelled),
      writtenOff: minor(writtenOff),
      paid: minor(paid),
      left: minor(invoiced - credited - cancelled - writtenOff - paid) || 0,
      received: minor(received),
      returned: minor(returned),
      outstanding: minor(outstanding.total),
      recurring: minor(recurring.end),
    };
    const counted = {
      invoiced: sum(of(books.invoices).map(({ totalMinor }) => totalMinor)),
      credited: settledOf('creditNotedMinor'),
      cancelled: settledOf('cancelledMinor'),
      writtenOff: settledOf('writtenOffMinor') + settledOf('badDebtMinor'),
      paid:
        settledOf('paidMinor') -
        settledOf('refundedMinor') +
        settledOf('fromCreditMinor') -
        settledOf('releasedMinor') -
        settledOf('carriedMinor'),
      left: sum(of(books.invoices).map(dueOfInvoice)),
      received: sum(of(arrived).map(({ amountMinor }) => amountMinor)),
      returned: sum(of(arrived).map(goneOf)),
      outstanding: sum(of(books.invoices).map(dueOfInvoice)),
      recurring: sum(
        paying
          .filter(({ plan }) => plan.currency === currency)
          .map(({ plan: { priceMinor, quantity = 1, billingCycle } }) =>
            Math.round((priceMinor * quantity * (perYear[billingCycle] ?? 0)) / 12),
          ),
      ),
    };
    if (!isDeepStrictEqual(shown, counted))
      faults.push(`The report of ${currency} has ${JSON.stringify(shown)}, not ${JSON.stringify(counted)}`);
  }
  const running = report.subscriptions.payingAtEnd;
  const expected = paying.filter(({ plan }) => plan.priceMinor > 0).length;
  if (running !== expected) faults.push(`The report counts ${running} that pay, not ${expected}`);
  return faults;
}

/** The tax report over the whole walk has the tax of invoices, less that of credit notes, of what is void and of bad debts. */
async function taxFaults(
  { seller }: Shop,
  startMs: number,
  { invoices, creditNotes }: Books,
): Promise<string[]> {
  const query = { from: new Date(startMs - 100 * 86_400_000).toISOString() };
  const { report } = good(await call('reports.tax-read', { headers: seller.headers, query }));
  const taxOf = ({ taxes = [] }: Fields) => sum(taxes.map(({ taxMinor }: Fields) => taxMinor));
  const counted = ['EUR', 'USD'].map((currency) => {
    const own = invoices.filter((one) => one.currency === currency);
    const noted = sum(creditNotes.filter((one) => one.currency === currency).map(taxOf));
    const gross = own.map((one) => one.totalMinor - creditedOf(one) - badDebtOf(one));
    const tax = own.map(
      (one) => taxOf(one) - cancelledTaxOf(one, creditNotes, taxOf) - badDebtTaxOf(one, taxOf(one)),
    );
    return `${currency} ${sum(gross)} ${sum(tax) - noted}`;
  });
  const shown = ['EUR', 'USD'].map((currency) => {
    const rows: Fields[] = report.rows.filter((row: Fields) => row.currency === currency);
    return `${currency} ${sum(rows.map(({ gross }) => minor(gross)))} ${sum(rows.map(({ tax }) => minor(tax)))}`;
  });
  return isDeepStrictEqual(shown, counted)
    ? []
    : [`The tax report has ${shown.join(', ')}, not ${counted.join(', ')}`];
}

const creditedOf = ({ settled: { creditNotedMinor = 0, cancelledMinor = 0 } = {} }: Fields): number =>
  creditNotedMinor + cancelledMinor;

const badDebtOf = ({ settled: { badDebtMinor = 0 } = {} }: Fields): number => badDebtMinor;

/** The tax of what is given up of an invoice: that of the total, less that of what is not given up, rounded half up. */
export const badDebtTaxOf = (invoice: Fields, taxMinor: number): number =>
  badDebtOf(invoice) === 0
    ? 0
    : taxMinor - Math.round((taxMinor * (invoice.totalMinor - badDebtOf(invoice))) / invoice.totalMinor);

/** The tax of what is void of an invoice: of all that is credited, rounded half up, less that of its credit notes. */
function cancelledTaxOf(
  invoice: Fields,
  creditNotes: readonly Fields[],
  taxOf: (document: Fields) => number,
): number {
  if (!(invoice.settled?.cancelledMinor > 0)) return 0;
  const notes = creditNotes.filter(({ invoiceId }) => invoiceId === invoice.invoiceId);
  return Math.round((taxOf(invoice) * creditedOf(invoice)) / invoice.totalMinor) - sum(notes.map(taxOf));
}
