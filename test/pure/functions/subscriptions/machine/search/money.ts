/** Payments, as the service places them, and money that is taken back. */
import { dueMinor } from '../../../../../../functions/invoices/due.ts';
import type { Invoice } from '../../../../../../functions/invoices/invoice.ts';
import {
  type Entry,
  entry,
  receivable,
  release,
  transfer,
  waived,
} from '../../../../../../functions/ledger/entry.ts';
import { givenUp, reinstated, reopened, settledAfter } from '../../../../../../functions/ledger/settled.ts';
import {
  arriving,
  type Movement,
  movedEntry,
  waitingEntry,
} from '../../../../../../functions/payments/settle/movement.ts';
import {
  type ClosedInvoices,
  type Placement,
  placementFor,
} from '../../../../../../functions/payments/settle/placement.ts';
import { defined } from '../../../../../../functions/shared/contract/defined.ts';
import type { EventName } from '../../../../../../functions/subscriptions/machine/event.ts';
import { hasExpired } from '../../../../../../functions/subscriptions/record/revival.ts';
import type {
  OpenInvoice,
  Subscription,
} from '../../../../../../functions/subscriptions/record/subscription.ts';
import type { ContextFields } from '../../../../../support/subscriptions/state-samples.ts';
import { closedOf, type World } from './world.ts';

/** An event about money, with what it is about. */
export type MoneyMove = readonly [name: string, event: EventName, fields: ContextFields];

type Started = World & { readonly subscription: Subscription };

const currency = 'EUR';
export const clientOf = ({ creditMinor }: World) => ({
  email: 'ann@example.com',
  name: 'Ann',
  credit: { EUR: creditMinor },
});
const written = {
  applicationId: 'app_1',
  externalId: 'user-1',
  createdAtMs: 0,
  updatedAtMs: 0,
  createdBy: 'a',
  writtenBy: 'a',
};

/** The invoices that a payment of an ended subscription can be for. */
function closedInvoices({ subscription, invoices }: Started): ClosedInvoices {
  const { endedAtMs, debts = [] } = subscription;
  const closed = invoices
    .filter(({ status }) => status === 'void' || status === 'uncollectible')
    .toSorted((a, b) => a.n - b.n);
  return {
    atEnd: hasExpired(subscription) ? closed.filter(({ closedAtMs }) => closedAtMs === endedAtMs) : [],
    owed: closed.filter(({ n }) => debts.includes(n)),
  };
}

const won: Movement = { kind: 'dispute_won', from: 'gateway' };

/** Transfers of a part and of all. */
export const transfers = (world: Started): MoneyMove[] => {
  const due = dueOf(world);
  return paid(world, [300, sumOf(due)], [arriving('bank')]);
};

/** All of it is given back by a gateway. */
export const wonDisputes = (world: Started): MoneyMove[] => paid(world, [sumOf(dueOf(world))], [won]);

/** Money of each class of amount, a part, the first invoice and all: by a bank, and given back by a gateway. */
export function payments(world: Started): MoneyMove[] {
  const due = dueOf(world);
  const [firstMinor = 0] = due;
  const amounts = [firstMinor, sumOf(due)];
  return [...paid(world, [300], [arriving('bank')]), ...paid(world, amounts, [arriving('bank'), won])];
}

/** The amounts of the invoices that a payment can be for, oldest first; the price where there are none. */
function dueOf(world: Started): number[] {
  const { openInvoices, plan } = world.subscription;
  const { atEnd, owed } = closedInvoices(world);
  const closed = [...new Set([...atEnd, ...owed])].map(({ totalMinor }) => totalMinor);
  const due = [...openInvoices.map(dueMinor), ...closed];
  return due.length > 0 ? due : [plan.priceMinor];
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, minor) => sum + minor, 0);

/** The events of money that arrives now, and of money that arrived before an end. */
function paid(world: Started, amounts: readonly number[], movements: readonly Movement[]): MoneyMove[] {
  const { subscription, nowMs } = world;
  const { endedAtMs } = subscription;
  const times = endedAtMs === undefined ? [nowMs] : [nowMs, endedAtMs - 1];
  const closed = closedInvoices(world);
  const client = { ...written, ...clientOf(world) };
  const all = movements.flatMap((movement) =>
    times.flatMap((valueAtMs) =>
      [...new Set(amounts)].map((amountMinor) => ({ amountMinor, currency, valueAtMs, movement })),
    ),
  );
  return all.flatMap((money) => {
    if (money.amountMinor <= 0) return [];
    const source = money.movement === won ? 'stripe' : 'bank';
    const placement = placementFor(
      { subscription, client },
      { ...money, source },
      { named: undefined, closed },
      nowMs,
    );
    const placements = placement.kind === 'revive' ? [placement, placement.besideAnother] : [placement];
    return placements.map((one) => placed(world, one, money));
  });
}

function placed(
  { subscription, invoices }: Started,
  placement: Placement,
  { amountMinor, movement }: { readonly amountMinor: number; readonly movement: Movement },
): MoneyMove {
  const payment = { paymentId: `pay_${subscription.revision}`, amountMinor, currency };
  const { status } = subscription;
  const distribution =
    'distribution' in placement
      ? placement.distribution
      : { paid: [], parts: [], overpaymentMinor: amountMinor };
  const { paid, parts } = distribution;
  const owed = placement.kind === 'debt' ? parts : [];
  const settledOf = (n: number) => invoices.find((one) => one.n === n)?.settled;
  const booked = [
    ...owed.flatMap((part) =>
      reinstated({ n: part.n, currency, settled: settledOf(part.n) }, part.amountMinor),
    ),
    movedEntry(movement, payment, distribution),
  ];
  const received = { payment, booked, by: 'gateway' } as const;
  const pays = { ...received, paid, paymentId: undefined };
  const isReinstated = movement === won && status !== 'pending' && status !== 'trialing';
  const name = `${amountMinor} ${movement.kind}`;
  switch (placement.kind) {
    case 'pay':
      return [name, isReinstated ? 'payment_reinstated' : 'payment', pays];
    case 'revive':
      return [name, 'payment_revived', { ...pays, isRevivable: true, revival: placement.revival }];
    case 'debt':
      return [name, isReinstated ? 'payment_reinstated' : 'debt_paid', pays];
    case 'part':
      return [name, 'partial_payment', received];
    case 'credit':
      return [name, 'payment_credited', received];
    case 'unapplied':
      return [
        name,
        'payment_unapplied',
        { ...received, booked: [waitingEntry(movement, payment, amountMinor)], unapplied: payment },
      ];
  }
}

/** Money that a gateway takes back of an invoice or of credit, and refunds of all and of a half. */
export function takings(world: Started): MoneyMove[] {
  const { subscription, invoices, creditMinor } = world;
  const open = invoices.filter(({ n }) => subscription.openInvoices.some((one) => one.n === n));
  const ofInvoices = [...closedOf(world), ...open].flatMap((invoice): MoneyMove[] => {
    const { paidMinor = 0, refundedMinor = 0 } = invoice.settled ?? {};
    const leftMinor = paidMinor - refundedMinor;
    if (leftMinor <= 0) return [];
    const halfMinor = Math.ceil(leftMinor / 2);
    return [
      disputed(world, invoice, leftMinor),
      refund(invoice, leftMinor, false),
      refund(invoice, leftMinor, true),
      ...(halfMinor < leftMinor ? [refund(invoice, halfMinor, false)] : []),
    ];
  });
  if (creditMinor <= -500) return ofInvoices;
  const payment = { paymentId: 'pay_credit', amountMinor: 1_000, currency };
  const booked = [taken('dispute', payment, { account: 'credit', amountMinor: 1_000 })];
  return [...ofInvoices, ['credit', 'part_reversed', { payment, booked }]];
}

type Subject = Parameters<typeof movedEntry>[1];
const taken = (kind: 'dispute' | 'refund', payment: Subject, of: Entry['postings'][number]): Entry =>
  entry(kind, payment, [{ account: 'gateway', amountMinor: -of.amountMinor }, of]);

const paymentFor = ({ n }: Invoice, { openInvoices }: Subscription, amountMinor: number) => ({
  paymentId: openInvoices.find((one) => one.n === n)?.parts?.[0]?.paymentId ?? 'pay_1',
  amountMinor,
  currency,
});

function refund(invoice: Invoice, amountMinor: number, refundCancels: boolean): MoneyMove {
  const payment = { paymentId: 'pay_1', amountMinor, currency };
  const isClosed = invoice.status === 'paid' || invoice.status === 'refunded';
  const booked = [taken('refund', payment, { ...receivable(invoice.n), amountMinor })];
  if (invoice.status === 'void') booked.push(waived('cancellation', invoice, amountMinor));
  if (invoice.status === 'uncollectible') booked.push(...givenUp(invoice, amountMinor, false));
  const refunded = isClosed ? [{ invoice, amountMinor }] : [];
  return [
    `${amountMinor}${refundCancels ? ' cancels' : ''}`,
    'payment_refunded',
    { payment, booked, refunded, refundCancels },
  ];
}

function disputed(
  { subscription, creditMinor, nowMs }: Started,
  invoice: Invoice,
  leftMinor: number,
): MoneyMove {
  const { n, status, invoiceId, totalMinor, gateway, periodStartMs = 0 } = invoice;
  const payment = paymentFor(invoice, subscription, leftMinor);
  const booked = [taken('dispute', payment, { ...receivable(n), amountMinor: leftMinor })];
  const fields = { payment, booked, by: 'gateway' } as const;
  const now = () => settledAfter(invoice.settled, n, booked);
  if (status === 'void') booked.push(waived('cancellation', invoice, leftMinor));
  else if (status === 'paid') {
    booked.push(...reopened({ n, currency, settled: now() }));
    const backMinor = Math.min(
      now()?.releasedMinor ?? 0,
      creditMinor,
      dueMinor({ totalMinor, settled: now() }),
    );
    if (backMinor > 0) booked.push(release(invoice, -backMinor));
    const atStripe = gateway !== 'none' || undefined;
    const open: OpenInvoice = {
      n,
      invoiceId,
      totalMinor,
      currency,
      owedFromMs: Math.max(nowMs, periodStartMs),
      ...defined({ settled: now(), atStripe }),
    };
    if (dueMinor(open) > 0) return [`invoice ${status}`, 'payment_reversed', { ...fields, reversed: [open] }];
  } else if (status !== 'open') booked.push(...givenUp(invoice, leftMinor, false));
  return [`invoice ${status}`, 'part_reversed', fields];
}

/** The credit of the client is sent back. */
export function payOuts({ creditMinor: amountMinor }: Started): MoneyMove[] {
  if (amountMinor <= 0) return [];
  const move = { from: { account: 'bank' }, to: { account: 'credit' }, amountMinor } as const;
  const payment = { paymentId: 'pay_1', amountMinor, currency };
  return [
    [
      'credit',
      'credit_paid_out',
      { paidOut: { amountMinor, currency }, booked: [transfer('pay_out', { currency }, move)] },
    ],
    ['credit', 'payment_returned', { payment, booked: [transfer('pay_out', payment, move)] }],
  ];
}
