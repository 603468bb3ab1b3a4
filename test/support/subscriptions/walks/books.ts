/**
 * The books of an application, recounted from the items as they lie in the table. This shares no code with the service:
 * a rule that the service and its test have in common would be wrong in both.
 */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dynamodb } from '../../../../functions/shared/table/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: the items are read as they lie in the table.
type Stored = Record<string, any>;

/** Everything that the table has, sorted by what it is. Times in epoch milliseconds, amounts in minor units. */
export interface Books {
  clients: Stored[];
  subscriptions: Stored[];
  invoices: Stored[];
  creditNotes: Stored[];
  payments: Stored[];
  timeline: (Stored & { subscriptionId: string })[];
}

/** The part of the books that has amounts. */
export type Amounts = Omit<Books, 'subscriptions' | 'timeline'>;

const parts =
  'begins_with(pk, :client) OR begins_with(pk, :payment) OR (begins_with(pk, :own) AND NOT begins_with(sk, :mail))';

/** Reads the books in the table that the test has to itself. */
export async function readBooks(): Promise<Books> {
  const items: Stored[] = [];
  let from: Stored | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: process.env.TABLE_NAME,
        ConsistentRead: true,
        // The rest is most of the table: events, mails, the limits of requests.
        FilterExpression: parts,
        ExpressionAttributeValues: {
          ':client': 'CLIENT#',
          ':own': 'SUBSCRIPTION#',
          ':payment': 'PAYMENT#',
          ':mail': 'OUTBOX#',
        },
        ...defined({ ExclusiveStartKey: from }),
      }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  const having = (partition: string, sortKey = '') =>
    items.filter(({ pk, sk }) => pk.startsWith(`${partition}#`) && sk.startsWith(sortKey));
  return {
    clients: having('CLIENT', 'CLIENT'),
    subscriptions: having('CLIENT', 'SUB#'),
    invoices: having('SUBSCRIPTION', 'INVOICE#'),
    creditNotes: having('SUBSCRIPTION', 'CREDITNOTE#'),
    // A reversal that was reported before its payment waits there without an amount.
    payments: having('PAYMENT').filter(({ paymentId }) => paymentId !== undefined),
    timeline: having('SUBSCRIPTION', 'TIMELINE#').map((entry) => ({
      ...entry,
      subscriptionId: entry.pk.split('#')[1],
    })),
  };
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** The errors of the books, in sentences; empty when they are right. */
export function faultsOf(books: Books): string[] {
  return [
    ...faultsOfAmounts(books),
    ...books.invoices.flatMap((invoice) => [
      ...faultsOfOpenInvoice(invoice, books),
      ...faultsOfNotes(invoice, books),
    ]),
    ...books.subscriptions.flatMap((subscription) => [
      ...faultsOfNumbers(subscription, books),
      ...faultsOfDays(subscription, books),
      ...faultsOfTimer(subscription),
    ]),
    ...faultsOfSeries(books),
  ];
}

/** Where money is lost or made, in payments, invoices and credit. */
export function faultsOfAmounts(books: Amounts): string[] {
  return [
    ...books.payments.flatMap((payment) => faultsOfPayment(payment)),
    ...books.invoices.flatMap((invoice) => faultsOfInvoice(invoice, books)),
    ...faultsOfMoney(books),
  ];
}

const allocated = ({ allocations = [] }: Stored) =>
  sum(allocations.map(({ amountMinor }: Stored) => amountMinor));
const waiting = (payment: Stored) =>
  payment.amountMinor - allocated(payment) - (payment.creditedMinor ?? 0) - (payment.returnedMinor ?? 0);

/** The states that say where all money of a payment is. */
function faultsOfPayment(payment: Stored): string[] {
  const { paymentId, status, amountMinor, creditedMinor = 0, returnedMinor = 0 } = payment;
  const what = `payment ${paymentId} (${status})`;
  const left = waiting(payment);
  const amounts = [amountMinor, creditedMinor, returnedMinor, left];
  const faults: string[] = [];
  if (amounts.some((amount) => !Number.isSafeInteger(amount) || amount < 0))
    faults.push(`${what} does not balance: ${JSON.stringify(payment)}`);
  if (['applied', 'partial', 'credit'].includes(status) && left !== 0)
    faults.push(`${what} has ${left} that waits`);
  if (status === 'unapplied' && left === 0) faults.push(`${what} has nothing that waits`);
  if (status === 'credit' && creditedMinor === 0) faults.push(`${what} has no credit`);
  return faults;
}

/** An invoice receives money from payments and credit; a paid one received all, but for the tolerance. */
function faultsOfInvoice(invoice: Stored, { payments }: Amounts): string[] {
  const { invoiceId, number, status, totalMinor, receivedMinor = 0, creditUsedMinor = 0 } = invoice;
  const { creditedMinor = 0, refundedMinor = 0 } = invoice;
  const given = sum(
    payments
      .flatMap(({ allocations = [] }) => allocations)
      .filter((allocation) => allocation.invoiceId === invoiceId)
      .map(({ amountMinor }) => amountMinor),
  );
  const faults: string[] = [];
  // Of a revived invoice, what it had received before was credit in between, and may have been spent elsewhere.
  if (isKept(invoice) && receivedMinor !== given + creditUsedMinor - creditedMinor)
    faults.push(
      `${number} (${status}) received ${receivedMinor}, but ${given} + ${creditUsedMinor} - ${creditedMinor} was given`,
    );
  if (receivedMinor > totalMinor) faults.push(`${number} received more than its total`);
  const missing = totalMinor - receivedMinor - refundedMinor;
  if (status === 'paid' && missing > toleranceMinor)
    faults.push(`${number} is paid, but ${missing} is missing`);
  return faults;
}

/** Of an open invoice something is due, but for one of a trial: the client's credit can cover it until the trial ends. */
function faultsOfOpenInvoice(invoice: Stored, { subscriptions }: Books): string[] {
  const {
    subscriptionId,
    number,
    status,
    totalMinor,
    receivedMinor = 0,
    refundedMinor = 0,
    reversed,
  } = invoice;
  if (status !== 'open' || reversed === true || totalMinor - receivedMinor - refundedMinor > 0) return [];
  const owner = subscriptions.find((one) => one.subscriptionId === subscriptionId);
  return totalMinor === 0 || owner?.status === 'trialing' ? [] : [`${number} is open, but nothing is due`];
}

/** Credit notes credit at most their invoice, and all of one that is refunded. */
function faultsOfNotes({ invoiceId, number, status, totalMinor }: Stored, { creditNotes }: Books): string[] {
  const notes = creditNotes.filter((note) => note.invoiceId === invoiceId);
  const creditedMinor = sum(notes.map((note) => note.totalMinor));
  const isRight = status === 'refunded' ? creditedMinor === totalMinor : creditedMinor <= totalMinor;
  return isRight ? [] : [`${number} (${status}) is of ${totalMinor}, and ${creditedMinor} are credited`];
}

/** Whether the money that an invoice received is still in it: of a closed one it is credit again, unless its term was granted. */
const isKept = ({ status, reversed, isGranted }: Stored) =>
  status === 'open' || status === 'paid' || reversed === true || (isGranted === true && status !== 'void');

/** The largest tolerance of the sellers of walks: 0.50. */
const toleranceMinor = 50;

function faultsOfNumbers(
  { subscriptionId, invoiceCount, creditNoteCount = 0 }: Stored,
  books: Books,
): string[] {
  const gap = (what: string, items: readonly Stored[], count: number) => {
    const numbers = items
      .filter((item) => item.subscriptionId === subscriptionId)
      .map(({ n }) => n)
      .toSorted((a, b) => a - b);
    const isGapless = numbers.length === count && numbers.every((n, i) => n === i + 1);
    return isGapless ? [] : [`${subscriptionId} counts ${count} ${what}, and has ${numbers.join()}`];
  };
  return [
    ...gap('invoices', books.invoices, invoiceCount),
    ...gap('credit notes', books.creditNotes, creditNoteCount),
  ];
}

/** One that can end by itself has a timer: only a pause without an end waits for a request. */
function faultsOfTimer({ subscriptionId, status, timer, resumesAtMs }: Stored): string[] {
  const isWaiting =
    ['trialing', 'pending', 'active', 'past_due'].includes(status) || resumesAtMs !== undefined;
  const hasEnded = status === 'cancelled' || status === 'expired';
  return isWaiting && !hasEnded && timer === undefined ? [`${subscriptionId} (${status}) has no timer`] : [];
}

/** A seller's own series has each number once, from 1 on. */
function faultsOfSeries({ invoices, creditNotes }: Books): string[] {
  return [invoices, creditNotes].flatMap((items) => {
    const numbers = items
      .flatMap(({ number }) => /^[A-Z]+-(\d{6})$/.exec(number)?.[1] ?? [])
      .map(Number)
      .toSorted((a, b) => a - b);
    return numbers.every((n, i) => n === i + 1) ? [] : [`A series has the numbers ${numbers.join()}`];
  });
}

/**
 * The days that a subscription was granted: those of its paid invoices, those of its pauses, and those that support
 * granted. From the start of the first term to the end of the last there are no others.
 */
function faultsOfDays(subscription: Stored, { invoices, timeline }: Books): string[] {
  const { subscriptionId, termEndMs } = subscription;
  const own = invoices.filter((invoice) => invoice.subscriptionId === subscriptionId);
  const entries = timeline.filter((entry) => entry.subscriptionId === subscriptionId);
  // A change of plan moves the end by money, and support by hand: their own tests recount those days.
  if (entries.some(({ event }) => event === 'update' || event.includes('change') || event === 'grant_days'))
    return [];
  const granted = own
    .filter(({ status, reversed, periodEndMs }) => grants(status, reversed) && periodEndMs !== undefined)
    .toSorted((a, b) => a.periodStartMs - b.periodStartMs);
  const first = granted[0];
  if (first === undefined || termEndMs === undefined) return [];
  const days = sum(granted.map(({ periodStartMs, periodEndMs }) => periodEndMs - periodStartMs));
  const paused = pausedMs(entries);
  const whole = termEndMs - first.periodStartMs;
  // A subscription that revives begins a term after a gap.
  const isRevived = entries.some(({ event }) => event === 'payment_revived');
  const faults =
    days + paused === whole || (isRevived && days + paused < whole)
      ? []
      : [
          `${subscriptionId} lasts ${whole / dayMs} days, but ${days / dayMs} were paid and ${paused / dayMs} paused`,
        ];
  granted.forEach((invoice, i) => {
    const before = granted[i - 1];
    if (before !== undefined && invoice.periodStartMs < before.periodEndMs)
      faults.push(`${invoice.number} and ${before.number} are for the same days`);
  });
  return faults;
}

const dayMs = 86_400_000;
/** An invoice grants its term when it is paid. A reversal or a refund does not take the term back. */
const grants = (status: string, reversed: boolean | undefined) =>
  status === 'paid' || status === 'refunded' || reversed === true;

/** How long pauses lasted that are over, by the timeline. A pause that is not resumed moves no end. */
function pausedMs(entries: readonly Stored[]): number {
  let total = 0;
  let sinceMs: number | undefined;
  for (const { event, atMs } of entries.toSorted((a, b) => a.revision - b.revision)) {
    if (event === 'pause') sinceMs = atMs;
    if (event !== 'resume' || sinceMs === undefined) continue;
    total += atMs - sinceMs;
    sinceMs = undefined;
  }
  return total;
}

/** Whether a gateway took money back: credit that was spent by then is owed. */
const isTakenBack = ({ payments }: Amounts) =>
  payments.some(({ status, refundedMinor = 0 }) => status === 'disputed' || refundedMinor > 0);

/** The money that came in, and its places. In minor units of one currency. */
interface Balance {
  cameIn: number;
  /** Kept by invoices that are not void. */
  applied: number;
  /** The credit of all clients. */
  credit: number;
  /** Credit that came from no payment: from credit notes. */
  creditFromNotes: number;
  returned: number;
  waiting: number;
}

/** The balance of each currency. */
function balances({ payments, invoices, clients, creditNotes }: Amounts): Map<string, Balance> {
  const currencies = new Set(
    [...payments, ...invoices, ...creditNotes].map(({ currency }) => String(currency)),
  );
  const of = (items: readonly Stored[], currency: string) =>
    items.filter((item) => item.currency === currency);
  return new Map(
    [...currencies].map((currency) => {
      const own = of(payments, currency).filter(({ status }) => status !== 'processing');
      const back = own.filter(({ status }) => status === 'refunded' || status === 'disputed');
      const here = own.filter((payment) => !back.includes(payment));
      // Of a refunded invoice, the client's credit pays what a change of plan had credited.
      const kept = of(invoices, currency).filter((one) => isKept(one) || one.status === 'refunded');
      const notes = of(creditNotes, currency);
      const balance = {
        cameIn: sum(own.map(({ amountMinor }) => amountMinor)),
        applied: sum(kept.map(({ receivedMinor = 0 }) => receivedMinor)),
        credit: sum(clients.map(({ credit = {} }) => credit[currency] ?? 0)),
        creditFromNotes: sum(
          notes.filter(({ reason }) => reason !== 'refund').map((note) => note.totalMinor),
        ),
        returned:
          sum(here.map(({ returnedMinor = 0 }) => returnedMinor)) +
          sum(back.map(({ amountMinor }) => amountMinor)),
        waiting: sum(here.map(waiting)),
      };
      return [currency, balance];
    }),
  );
}

/** No cent is without a fate: what came in was applied, credited or returned, or waits. */
function faultsOfMoney(books: Amounts): string[] {
  const faults: string[] = [];
  for (const [currency, balance] of balances(books)) {
    const { cameIn, applied, credit, creditFromNotes, returned, waiting } = balance;
    if (cameIn + creditFromNotes !== applied + credit + returned + waiting)
      faults.push(`${currency} does not balance: ${JSON.stringify(balance)}`);
  }
  for (const { externalId, credit = {} } of books.clients)
    for (const [currency, amount] of Object.entries(credit))
      if (Number(amount) < 0 && !isTakenBack(books))
        faults.push(`${externalId} owes ${currency} ${amount} of credit`);
  return faults;
}
