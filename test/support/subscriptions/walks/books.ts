/**
 * The books of an application, recounted from the items as they lie in the table. This shares no code with the service:
 * a rule that the service and its test have in common would be wrong in both.
 */
import { isDeepStrictEqual } from 'node:util';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dynamodb } from '../../../../functions/shared/table/client.ts';

// biome-ignore lint/suspicious/noExplicitAny: the items are read as they lie in the table.
type Stored = Record<string, any>;

/** Everything that the table has, by kind. Times in epoch milliseconds, amounts in minor units. */
export interface Books {
  clients: Stored[];
  subscriptions: Stored[];
  invoices: Stored[];
  creditNotes: Stored[];
  payments: Stored[];
  /** Credit that was sent back, with its client. */
  payOuts: Stored[];
  /** The records of the journal, each with its entries. */
  journal: Stored[];
  timeline: (Stored & { subscriptionId: string })[];
}

/** The part of the books that has amounts. */
export type Amounts = Omit<Books, 'subscriptions' | 'timeline'>;

const parts =
  'begins_with(pk, :client) OR begins_with(pk, :payment) OR begins_with(pk, :journal) OR (begins_with(pk, :own) AND NOT begins_with(sk, :mail))';

/** Reads the books of some applications in the table that the test has to itself. */
export async function readBooks(applicationIds: readonly string[]): Promise<Books[]> {
  const items = await readItems();
  const subscriptions = items.filter(({ sk }) => sk.startsWith('SUB#'));
  const ofSubscription = new Map(
    subscriptions.map(({ subscriptionId, applicationId }) => [subscriptionId, applicationId]),
  );
  const applicationOf = ({ pk, applicationId }: Stored) => {
    const [partition, id] = pk.split('#');
    return applicationId ?? (partition === 'JOURNAL' ? id : ofSubscription.get(id));
  };
  const byApplication = Map.groupBy(items, applicationOf);
  return applicationIds.map((id) => booksOf(byApplication.get(id) ?? []));
}

async function readItems(): Promise<Stored[]> {
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
          ':journal': 'JOURNAL#',
          ':mail': 'OUTBOX#',
        },
        ...defined({ ExclusiveStartKey: from }),
      }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

function booksOf(items: readonly Stored[]): Books {
  const having = (partition: string, sortKey = '') =>
    items.filter(({ pk, sk }) => pk.startsWith(`${partition}#`) && sk.startsWith(sortKey));
  return {
    clients: having('CLIENT', 'CLIENT'),
    subscriptions: having('CLIENT', 'SUB#'),
    invoices: having('SUBSCRIPTION', 'INVOICE#'),
    creditNotes: having('SUBSCRIPTION', 'CREDITNOTE#'),
    // A reversal that was reported before its payment waits there without an amount.
    payments: having('PAYMENT').filter(({ paymentId }) => paymentId !== undefined),
    payOuts: payOutsOf(having('SUBSCRIPTION', 'TIMELINE#')),
    journal: [...having('SUBSCRIPTION', 'TIMELINE#'), ...having('JOURNAL')].flatMap(({ listed, listedAt }) =>
      listed === undefined ? [] : Object.assign(listed, { bookedAtMs: Date.parse(listedAt.split('#')[0]) }),
    ),
    timeline: having('SUBSCRIPTION', 'TIMELINE#').map((entry) => ({
      ...entry,
      subscriptionId: entry.pk.split('#')[1],
    })),
  };
}

/** Credit that was sent back, as entries of the timeline have it. */
export const payOutsOf = (timeline: readonly Stored[]): Stored[] =>
  timeline.flatMap(({ paidOut, listed }) =>
    paidOut === undefined ? [] : [{ ...paidOut, externalId: listed.externalId }],
  );

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
    ...foreignRecords(books),
  ];
}

/** The money of an application is of its own subscriptions and clients. */
function foreignRecords({ clients, subscriptions, payments, journal }: Books): string[] {
  const own = new Set(
    [
      ...clients.map(({ externalId }) => externalId),
      ...subscriptions.map((one) => one.subscriptionId),
    ].concat(undefined),
  );
  const named = payments.flatMap((payment) => [
    payment,
    ...(payment.allocations ?? []),
    ...(payment.credits ?? []),
  ]);
  return [...named, ...journal]
    .filter(({ externalId, subscriptionId }) => !own.has(externalId) || !own.has(subscriptionId))
    .map((one) => `Money of another application: ${JSON.stringify(one)}`);
}

/** Where the sums of records are not those of the ledger, and where money is lost or made. */
export function faultsOfAmounts(books: Amounts): string[] {
  const postings = postingsOf(books);
  return [
    ...faultsOfEntries(books),
    ...books.payments.flatMap((payment) => faultsOfPayment(payment, postings)),
    ...books.invoices.flatMap((invoice) => faultsOfInvoice(invoice, postings)),
    ...books.invoices.flatMap((invoice) => faultsOfPayer(invoice, books)),
    ...books.clients.flatMap((client) => faultsOfClient(client, postings, books)),
    ...faultsOfCash(books, postings),
  ];
}

/** A posting of the journal, with the entry and the record that it is in. */
type Posted = Stored & { amountMinor: number };

function postingsOf({ journal }: Amounts): Posted[] {
  return journal.flatMap(({ externalId, subscriptionId, entries }) =>
    entries.flatMap(({ kind, currency, paymentId, postings }: Stored) =>
      postings.map((posting: Stored) => ({
        ...posting,
        kind,
        currency,
        paymentId,
        externalId,
        subscriptionId,
      })),
    ),
  );
}

/** The balance of the receivables in a currency before a time, by the ledger. */
export const receivableMinor = (books: Amounts, currency: string, beforeMs: number): number =>
  sumOf(
    postingsOf({ ...books, journal: books.journal.filter(({ bookedAtMs }) => bookedAtMs < beforeMs) }).filter(
      (one) => one.account === 'receivable' && one.currency === currency,
    ),
  );

const sumOf = (postings: readonly Posted[]) => sum(postings.map(({ amountMinor }) => amountMinor));

function faultsOfEntries({ journal }: Amounts): string[] {
  return journal
    .flatMap(({ entries }) => entries)
    .filter(({ postings }: Stored) => sum(postings.map(({ amountMinor }: Stored) => amountMinor)) !== 0)
    .map((entry) => `An entry does not add up to 0: ${JSON.stringify(entry)}`);
}

/** The part of a payment that its gateway or its seller sent back. */
export const gone = ({ returnedMinor = 0, refundedMinor = 0, disputedMinor = 0 }: Stored) =>
  returnedMinor + refundedMinor + disputedMinor;
const allocated = ({ allocations = [] }: Stored) =>
  sum(allocations.map(({ amountMinor }: Stored) => amountMinor));
export const waiting = (payment: Stored) =>
  payment.amountMinor - allocated(payment) - (payment.creditedMinor ?? 0) - gone(payment);

/** Money that is under way, or never came, is nowhere. */
export const hasArrived = ({ status, neverArrived }: Stored) =>
  status !== 'processing' && neverArrived !== true;

/** The ledger says where the money of a payment is, and its state says so too. */
function faultsOfPayment(payment: Stored, postings: readonly Posted[]): string[] {
  const { paymentId, status, amountMinor, creditedMinor = 0, allocations = [] } = payment;
  const what = `payment ${paymentId} (${status})`;
  const left = waiting(payment);
  // A bank takes back what the seller has sent back already: the client owes exactly that, or it is missing.
  const overdrawn = Math.max(0, gone(payment) - amountMinor);
  const [credited, waits] = payment.externalId === undefined ? [0, overdrawn] : [overdrawn, 0];
  const amounts = [
    amountMinor,
    creditedMinor + credited,
    gone(payment),
    left + waits,
    ...allocations.map((one: Stored) => one.amountMinor),
  ];
  const faults: string[] = [];
  if (amounts.some((amount) => !Number.isSafeInteger(amount) || amount < 0))
    faults.push(`${what} does not balance: ${JSON.stringify(payment)}`);
  if (overdrawn > 0 && (status !== 'disputed' || allocations.length > 0))
    faults.push(`${what} has ${overdrawn} less than nothing: ${JSON.stringify(payment)}`);
  if (status !== 'processing' && status !== statusOf(payment))
    faults.push(`${what} has the sums of one that is ${statusOf(payment)}: ${JSON.stringify(payment)}`);
  const own = postings.filter((posting) => posting.paymentId === paymentId);
  const onAccount = (name: string) => 0 - sumOf(own.filter(({ account }) => account === name));
  const posted = {
    allocated: onAccount('receivable'),
    credited: onAccount('credit'),
    waiting: onAccount('unallocated'),
    held: 0 - onAccount('bank') - onAccount('gateway'),
  };
  const stated = {
    allocated: allocated(payment),
    credited: creditedMinor,
    waiting: hasArrived(payment) ? left : 0,
    held: hasArrived(payment) ? amountMinor - gone(payment) : 0,
  };
  if (!isDeepStrictEqual(posted, stated))
    faults.push(`${what} states ${JSON.stringify(stated)}, and the ledger has ${JSON.stringify(posted)}`);
  for (const { subscriptionId, n, amountMinor: part } of allocations) {
    const ofInvoice = own.filter(
      (one) => one.account === 'receivable' && one.n === n && one.subscriptionId === subscriptionId,
    );
    if (-sumOf(ofInvoice) !== part)
      faults.push(`${what} states ${part} for invoice ${n}, and the ledger ${-sumOf(ofInvoice)}`);
  }
  const { credits = [], disputedMinor = 0, refundedMinor = 0 } = payment;
  for (const { externalId, amountMinor: part, owedMinor = 0 } of credits) {
    const ofClient = own.filter((one) => one.account === 'credit' && one.externalId === externalId);
    if (0 - sumOf(ofClient) !== part)
      faults.push(`${what} states ${part} of ${externalId}, and the ledger ${0 - sumOf(ofClient)}`);
    // Money that comes back settles it first.
    if (owedMinor < 0 || owedMinor > disputedMinor + refundedMinor)
      faults.push(`${what} is owed ${owedMinor} by ${externalId}: ${JSON.stringify(payment)}`);
  }
  return faults;
}

/** The state of a payment by its sums. */
function statusOf(payment: Stored): string {
  const { allocations = [], creditedMinor, disputedMinor, refundedMinor } = payment;
  if (waiting(payment) > 0) return 'unapplied';
  if (allocations.length > 0) return allocations.some(({ isPaid }: Stored) => isPaid) ? 'applied' : 'partial';
  if (creditedMinor > 0) return 'credit';
  if (disputedMinor > 0) return 'disputed';
  if (refundedMinor > 0) return 'refunded';
  return gone(payment) > 0 ? 'returned' : 'applied';
}

/** The sum of an invoice that each kind of entry settles. */
const settles: Readonly<Record<string, string>> = {
  payment: 'paidMinor',
  allocation: 'paidMinor',
  refund: 'refundedMinor',
  refund_failed: 'paidMinor',
  dispute: 'paidMinor',
  dispute_won: 'paidMinor',
  reversal: 'paidMinor',
  credit: 'fromCreditMinor',
  credit_note: 'creditNotedMinor',
  cancellation: 'cancelledMinor',
  bad_debt: 'badDebtMinor',
  write_off: 'writtenOffMinor',
  release: 'releasedMinor',
  carry_over: 'carriedMinor',
};

/** The sums of an invoice are those of the ledger. A closed one owes nothing, and no sum is below 0. */
function faultsOfInvoice(invoice: Stored, postings: readonly Posted[]): string[] {
  const { number, status, subscriptionId, n, totalMinor, settled = {} } = invoice;
  const own = postings.filter(
    (one) => one.account === 'receivable' && one.n === n && one.subscriptionId === subscriptionId,
  );
  const posted: Record<string, number> = {};
  for (const { kind, amountMinor } of own) {
    const name = settles[kind];
    if (name === undefined) continue;
    const isOther = ['refundedMinor', 'releasedMinor', 'carriedMinor'].includes(name);
    posted[name] = (posted[name] ?? 0) + (isOther ? amountMinor : -amountMinor);
  }
  const sums = Object.fromEntries(Object.entries(posted).filter(([, amount]) => amount !== 0));
  const what = `${number} (${status})`;
  const faults: string[] = [];
  if (!isDeepStrictEqual(sums, { ...settled }))
    faults.push(`${what} states ${JSON.stringify(settled)}, and the ledger has ${JSON.stringify(sums)}`);
  if (Object.values(sums).some((amount) => amount < 0))
    faults.push(`${what} has a sum below 0: ${JSON.stringify(sums)}`);
  const due = sumOf(own);
  if (due !== dueOf(invoice)) faults.push(`${what} states ${dueOf(invoice)} due, and the ledger has ${due}`);
  if (status !== 'open' && due !== 0) faults.push(`${what} owes ${due}`);
  const {
    paidMinor = 0,
    fromCreditMinor = 0,
    carriedMinor = 0,
    writtenOffMinor = 0,
    badDebtMinor = 0,
  } = settled;
  const { creditNotedMinor = 0, cancelledMinor = 0, refundedMinor = 0 } = settled;
  if (creditNotedMinor + cancelledMinor > totalMinor)
    faults.push(`${what} of ${totalMinor} was credited ${creditNotedMinor} and cancelled ${cancelledMinor}`);
  if (paidMinor - refundedMinor + fromCreditMinor > totalMinor + carriedMinor)
    faults.push(`${what} received more than its total`);
  if (status === 'paid' && writtenOffMinor + badDebtMinor > toleranceMinor)
    faults.push(`${what} is paid, but ${writtenOffMinor + badDebtMinor} is missing`);
  if (badDebtMinor + creditNotedMinor + cancelledMinor > totalMinor)
    faults.push(`${what} of ${totalMinor} has a bad debt of ${badDebtMinor} beside what was credited`);
  return faults;
}

/** A payment that has paid an invoice by itself is not one of a part. */
function faultsOfPayer(
  { number, status, subscriptionId, n, totalMinor }: Stored,
  { payments }: Amounts,
): string[] {
  const payer = payments.find(({ allocations = [] }) =>
    allocations.some(
      (one: Stored) => one.n === n && one.subscriptionId === subscriptionId && one.amountMinor === totalMinor,
    ),
  );
  return status === 'paid' && payer?.status === 'partial'
    ? [`${number} is paid by ${payer.paymentId}, which is partial`]
    : [];
}

/** The amount due of an invoice, by the sums that it states. */
export function dueOf({ totalMinor, settled = {} }: Stored): number {
  const { paidMinor = 0, fromCreditMinor = 0, creditNotedMinor = 0, cancelledMinor = 0 } = settled;
  const {
    badDebtMinor = 0,
    writtenOffMinor = 0,
    releasedMinor = 0,
    carriedMinor = 0,
    refundedMinor = 0,
  } = settled;
  const settledMinor =
    paidMinor + fromCreditMinor + creditNotedMinor + cancelledMinor + badDebtMinor + writtenOffMinor;
  return totalMinor + refundedMinor + releasedMinor + carriedMinor - settledMinor;
}

/** The credit of a client is that of the ledger, and never more than the money that is held from them. */
function faultsOfClient(
  { externalId, credit = {} }: Stored,
  postings: readonly Posted[],
  books: Amounts,
): string[] {
  const ofPerson = postings.filter((one) => one.externalId === externalId);
  const touched = new Set(ofPerson.map(({ paymentId }) => paymentId));
  const own = ofPerson.filter(({ account }) => account === 'credit');
  const payments = books.payments.filter(({ status }) => status !== 'processing');
  const currencies = new Set([...Object.keys(credit), ...own.map(({ currency }) => currency)]);
  return [...currencies].flatMap((currency) => {
    const stated = credit[currency] ?? 0;
    const posted = 0 - sumOf(own.filter((one) => one.currency === currency));
    const ofCurrency = <T extends Stored>(items: readonly T[]) =>
      items.filter((one) => one.currency === currency);
    const paidOut = ofCurrency(books.payOuts).filter((one) => one.externalId === externalId);
    const held =
      sum(ofCurrency(payments).map((one) => heldFrom(one, externalId))) -
      sum(paidOut.map(({ amountMinor }) => amountMinor));
    // An invoice that nobody has paid asks for a debt of the client, and for credit that was released of it.
    const askedFor = ofCurrency(books.invoices).filter(
      (one) => one.externalId === externalId && ['open', 'uncollectible'].includes(String(one.status)),
    );
    const carried = sum(
      askedFor.map(({ settled = {} }) => (settled.carriedMinor ?? 0) + (settled.releasedMinor ?? 0)),
    );
    const settledOf = (name: string) =>
      sum(
        ofCurrency(books.invoices)
          .filter((one) => one.externalId === externalId)
          .map(({ settled = {} }) => settled[name] ?? 0),
      );
    const counted =
      sum(ofCurrency(payments).map((one) => creditFrom(one, externalId))) +
      settledOf('releasedMinor') +
      settledOf('carriedMinor') -
      settledOf('fromCreditMinor') -
      sum(paidOut.map(({ amountMinor }) => amountMinor));
    const faults: string[] = [];
    if (stated !== posted)
      faults.push(`${externalId} has a credit of ${stated} ${currency}, and the ledger has ${posted}`);
    if (stated !== counted)
      faults.push(`${externalId} has a credit of ${stated} ${currency}, and ${counted} came and did not go`);
    if (stated > held + carried)
      faults.push(
        `${externalId} has a credit of ${stated} ${currency}, ${held} is held and ${carried} is asked for`,
      );
    if (stated < 0 && !isTakenBack(books, touched))
      faults.push(`${externalId} owes ${currency} ${stated} of credit`);
    return faults;
  });
}

/** The money of a payment that is held from a client: others can have parts of it. */
function heldFrom(payment: Stored, externalId: string): number {
  const { allocations = [] } = payment;
  const isOwn = payment.externalId === externalId;
  return ofClient(allocations, externalId) + creditFrom(payment, externalId) + (isOwn ? waiting(payment) : 0);
}

/** The money of a payment that became credit of a client. */
function creditFrom({ externalId: ownerId, creditedMinor = 0, credits }: Stored, externalId: string): number {
  if (credits !== undefined) return ofClient(credits, externalId);
  return ownerId === externalId ? creditedMinor : 0;
}

const ofClient = (parts: readonly Stored[], externalId: string): number =>
  sum(parts.filter((one) => one.externalId === externalId).map(({ amountMinor }) => amountMinor));

/** Money that came in and did not go back is in the bank or at the gateway. */
function faultsOfCash({ payments, payOuts }: Amounts, postings: readonly Posted[]): string[] {
  const arrived = payments.filter(hasArrived);
  return [...new Set(payments.map(({ currency }) => currency))].flatMap((currency) => {
    const of = <T extends Stored>(items: readonly T[]) => items.filter((one) => one.currency === currency);
    const held =
      sum(of(arrived).map((payment) => payment.amountMinor - gone(payment))) -
      sum(of(payOuts).map(({ amountMinor }) => amountMinor));
    const posted = sumOf(of(postings).filter(({ account }) => account === 'bank' || account === 'gateway'));
    return held === posted ? [] : [`${held} ${currency} is held, and the ledger has ${posted}`];
  });
}

/** Of an open invoice something is due, but for one of a trial: the client's credit can cover it until the trial ends. */
function faultsOfOpenInvoice(invoice: Stored, { subscriptions }: Books): string[] {
  const { subscriptionId, number, status, totalMinor } = invoice;
  if (status !== 'open' || dueOf(invoice) > 0) return [];
  const owner = subscriptions.find((one) => one.subscriptionId === subscriptionId);
  return totalMinor === 0 || owner?.status === 'trialing' ? [] : [`${number} is open, but nothing is due`];
}

/**
 * The credit notes of an invoice are what the ledger has as credited, and the documents of its cancellation what it has as cancelled.
 * Those of an invoice with tax are never missing, and with all of it they have all of its tax.
 */
function faultsOfNotes(invoice: Stored, { creditNotes }: Books): string[] {
  const { invoiceId, number, status, totalMinor, taxes, settled = {} } = invoice;
  const { creditNotedMinor = 0, cancelledMinor = 0 } = settled;
  const notes = creditNotes.filter((note) => note.invoiceId === invoiceId);
  const totalOf = (documents: readonly Stored[]) => sum(documents.map((one) => one.totalMinor));
  const cancelling = totalOf(notes.filter(({ reason }) => reason === 'cancellation'));
  const crediting = totalOf(notes) - cancelling;
  const what = `${number} (${status})`;
  const faults: string[] = [];
  if (crediting !== creditNotedMinor || (status === 'refunded' && crediting !== totalMinor))
    faults.push(`${what} is of ${totalMinor}, has ${creditNotedMinor} credited, and notes of ${crediting}`);
  if (cancelling !== cancelledMinor && (taxes !== undefined || cancelling !== 0))
    faults.push(`${what} has ${cancelledMinor} cancelled, and documents of ${cancelling}`);
  if (crediting + cancelling === totalMinor) {
    const taxOf = (documents: readonly Stored[]) =>
      Object.entries(
        Object.groupBy(
          documents.flatMap((one) => one.taxes ?? []),
          ({ country, percent }: Stored) => `${country} ${percent}`,
        ),
      ).map(([rate, lines = []]) => [rate, sum(lines.map(({ taxMinor }) => taxMinor))]);
    if (!isDeepStrictEqual(taxOf(notes), taxOf([invoice])) && totalMinor > 0)
      faults.push(`${what} has the tax ${taxOf([invoice])}, and its notes ${taxOf(notes)}`);
  }
  return faults;
}

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

/** Whether a gateway or a bank took money back of some payments: credit that was spent by then is owed. */
const isTakenBack = ({ payments }: Amounts, ids: ReadonlySet<string>) =>
  payments.some(
    ({ paymentId, refundedMinor = 0, disputedMinor = 0 }) =>
      refundedMinor + disputedMinor > 0 && ids.has(paymentId),
  );
