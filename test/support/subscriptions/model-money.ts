/** The money of the reference model: invoices of 9.99 EUR, and what their client has in credit. */

const priceMinor = 999;

export interface ModelInvoice {
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  totalMinor: number;
  receivedMinor: number;
}

/** What came in, and the parts of it that no invoice has. */
export interface Money {
  creditMinor: number;
  cameInMinor: number;
  /** Waits for a decision of the seller. */
  waitingMinor: number;
  /** The ids under which payments were reported. */
  recorded: string[];
}

/** An invoice as it is issued: it uses the credit at once. */
export function newInvoice(money: Money): ModelInvoice {
  const receivedMinor = Math.min(money.creditMinor, priceMinor);
  money.creditMinor -= receivedMinor;
  return { status: 'open', totalMinor: priceMinor, receivedMinor };
}

export function creditOf(money: Money, amountMinor: number): void {
  money.creditMinor += amountMinor;
}

/** The open invoice is paid. */
export function settle(invoices: readonly ModelInvoice[]): void {
  for (const invoice of invoices) if (invoice.status === 'open') invoice.status = 'paid';
}

/** Open invoices are closed: what they had received is credit again. */
export function closedInvoices(
  money: Money,
  invoices: readonly ModelInvoice[],
  status: 'void' | 'uncollectible',
): void {
  for (const invoice of invoices) {
    if (invoice.status !== 'open') continue;
    invoice.status = status;
    money.creditMinor += invoice.receivedMinor;
    invoice.receivedMinor = 0;
  }
}
