/** The revenue report: what the facts of the index add up to. Pure; amounts in minor units. */

import type { CreditNoteFacts } from '../invoices/listing/credit-note-listing.ts';
import type { InvoiceFacts } from '../invoices/listing/invoice-listing.ts';
import type { Entry } from '../ledger/entry.ts';
import type { PaymentFacts } from '../ledger/payment-listing.ts';
import { type Settled, sumOfKind } from '../ledger/settled.ts';
import { dayMs } from '../shared/runtime/clock.ts';
import { wallClockMs } from '../shared/runtime/time-zone.ts';
import type { Movement } from '../subscriptions/record/movement.ts';
import type { SubscriptionFacts } from '../subscriptions/record/subscription-listing.ts';
import { ageOf, noAges } from './ages.ts';
import type { ReportPeriod } from './report-run.ts';

/** The figure of each sum of an invoice: payments, credit, and what goes back to the credit are `paid`. */
const figureOf: { readonly [Sum in keyof Settled]?: 'cancelled' | 'writtenOff' } = {
  cancelledMinor: 'cancelled',
  badDebtMinor: 'writtenOff',
  writtenOffMinor: 'writtenOff',
};

const noTotals = () => ({
  recurring: {
    start: 0,
    new: 0,
    expansion: 0,
    contraction: 0,
    paused: 0,
    reactivated: 0,
    churned: 0,
    end: 0,
  },
  invoiced: 0,
  credited: 0,
  cancelled: 0,
  writtenOff: 0,
  paid: 0,
  received: 0,
  returned: 0,
  outstanding: noAges(),
});

export type CurrencyTotals = ReturnType<typeof noTotals>;

const noCounts = () => ({
  payingAtStart: 0,
  payingAtEnd: 0,
  new: 0,
  reactivated: 0,
  churned: 0,
  trialsStarted: 0,
  trialsConverted: 0,
  trialsLost: 0,
});

/** The figures of a report; `totals` by currency. */
export interface ReportFigures {
  totals: Record<string, CurrencyTotals>;
  counts: ReturnType<typeof noCounts>;
}

export const noFigures = (): ReportFigures => ({ totals: {}, counts: noCounts() });

export class RevenueReport {
  readonly #period: ReportPeriod;
  readonly #asOfMs: number;
  readonly #figures: ReportFigures;

  constructor(period: ReportPeriod, asOfMs: number, figures: ReportFigures) {
    this.#period = period;
    this.#asOfMs = asOfMs;
    this.#figures = figures;
  }

  addSubscription({ movements = [], trialStartMs, endedAtMs, endReason }: SubscriptionFacts): void {
    this.#addMovements(movements);
    if (trialStartMs === undefined) return;
    const { counts } = this.#figures;
    const [first] = movements;
    // A trial that another subscription replaced was paid for there.
    const replacedMs = endReason === 'replaced' ? endedAtMs : undefined;
    const convertedMs = first?.atMs ?? replacedMs;
    if (this.#isInPeriod(trialStartMs)) counts.trialsStarted += 1;
    if (this.#isInPeriod(convertedMs)) counts.trialsConverted += 1;
    if (convertedMs === undefined && this.#isInPeriod(endedAtMs)) counts.trialsLost += 1;
  }

  addInvoice({ currency, totalMinor }: InvoiceFacts): void {
    this.#of(currency).invoiced += totalMinor;
  }

  /** The document of a cancellation counts with its entry. */
  addCreditNote({
    currency,
    totalMinor,
    reason,
  }: Pick<CreditNoteFacts, 'currency' | 'totalMinor' | 'reason'>): void {
    if (reason !== 'cancellation') this.#of(currency).credited += totalMinor;
  }

  /** The amount of an invoice that an entry settles, other than by a credit note. */
  addEntry({ kind, currency, postings }: Entry): void {
    const sum = sumOfKind[kind];
    if (sum === undefined || sum === 'creditNotedMinor') return;
    const totals = this.#of(currency);
    for (const { account, amountMinor } of postings)
      if (account === 'receivable') totals[figureOf[sum] ?? 'paid'] -= amountMinor;
  }

  addOpenInvoice(invoice: InvoiceFacts): void {
    const age = ageOf(invoice.dueAtMs, this.#asOfMs);
    this.#of(invoice.currency).outstanding[age] += invoice.totalMinor - (invoice.settledMinor ?? 0);
  }

  /** Money that arrived in the period, by its value date, and that went back in the period, whenever it had come. */
  addPayment({
    currency,
    amountMinor,
    valueAtMs,
    atGateway,
    returnedMinor = 0,
    returnedAtMs,
    neverArrived,
  }: PaymentFacts): void {
    if (neverArrived) return;
    if (this.#hasValueInPeriod(valueAtMs, atGateway !== true)) this.#of(currency).received += amountMinor;
    if (this.#isInPeriod(returnedAtMs)) this.#of(currency).returned += returnedMinor;
  }

  #addMovements(movements: readonly Movement[]): void {
    const { fromMs, toMs } = this.#period;
    let atStart = false;
    let atEnd = false;
    const monthly = new Map<string, number>();
    for (const { atMs, kind, currency, monthlyMinor } of movements) {
      const isBefore = atMs < fromMs;
      if (!isBefore && atMs >= toMs) break;
      const change = monthlyMinor - (monthly.get(currency) ?? 0);
      monthly.set(currency, monthlyMinor);
      const { recurring } = this.#of(currency);
      recurring.end += change;
      if (isBefore) recurring.start += change;
      else recurring[kind] += change;
      if (isBefore) atStart = [...monthly.values()].some((amount) => amount > 0);
      else if (kind === 'new' || kind === 'reactivated' || kind === 'churned')
        this.#figures.counts[kind] += 1;
      atEnd = [...monthly.values()].some((amount) => amount > 0);
    }
    if (atStart) this.#figures.counts.payingAtStart += 1;
    if (atEnd) this.#figures.counts.payingAtEnd += 1;
  }

  #isInPeriod(atMs: number | undefined): boolean {
    return atMs !== undefined && atMs >= this.#period.fromMs && atMs < this.#period.toMs;
  }

  /** @param canBeDay whether 00:00 UTC is a day of the calendar. */
  #hasValueInPeriod(valueAtMs: number, canBeDay: boolean): boolean {
    const { fromMs, toMs, timeZone } = this.#period;
    if (!canBeDay || valueAtMs % dayMs !== 0) return this.#isInPeriod(valueAtMs);
    return valueAtMs >= wallClockMs(fromMs, timeZone) && valueAtMs < wallClockMs(toMs, timeZone);
  }

  #of(currency: string): CurrencyTotals {
    const { totals } = this.#figures;
    totals[currency] ??= noTotals();
    return totals[currency];
  }
}

/** A part of a whole with four decimals, rounded half up; undefined when the whole is 0. */
export function rateOf(part: number, whole: number): number | undefined {
  const precision = 10_000;
  return whole === 0 ? undefined : Math.floor((part / whole) * precision + 1 / 2) / precision;
}
