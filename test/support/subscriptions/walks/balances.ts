/** The balances that the records of a seller amount to, by the account and the currency of hledger. */
import { type Books, gone, hasArrived, waiting } from './books.ts';
import { badDebtTaxOf } from './recounts.ts';

export type Balances = Record<string, string>;

/** All balances but those of receivables, which the API is asked for. */
export function balancesOfRecords({ clients, payments, payOuts, invoices }: Books): Balances {
  const sums: Record<string, number> = {};
  const add = (account: string, currency: string, minor: number) => {
    const name = `${account} ${currency}`;
    sums[name] = (sums[name] ?? 0) + minor;
  };
  for (const payment of payments.filter(hasArrived)) {
    const { paymentId, source, amountMinor, currency } = payment;
    const account = source === 'stripe' || source === 'sandbox' ? 'gateway' : 'bank';
    add(`assets:${account}`, currency, amountMinor - gone(payment));
    add(`liabilities:unallocated:${paymentId}`, currency, -waiting(payment));
  }
  for (const { amountMinor, currency } of payOuts) add('assets:bank', currency, -amountMinor);
  for (const { externalId, credit = {} } of clients)
    for (const [currency, minor] of Object.entries<number>(credit))
      add(`liabilities:credit:${encodeURIComponent(externalId)}`, currency, -minor);
  for (const { currency, totalMinor, taxes = [], settled = {} } of invoices) {
    const { creditNotedMinor = 0, cancelledMinor = 0, badDebtMinor = 0, writtenOffMinor = 0 } = settled;
    const creditedMinor = creditNotedMinor + cancelledMinor;
    add('income:revenue', currency, creditedMinor - totalMinor);
    for (const { country, percent, taxMinor } of taxes) {
      // An invoice of nothing has no tax.
      const leftMinor = totalMinor === 0 ? 0 : taxMinor - Math.round((taxMinor * creditedMinor) / totalMinor);
      add('income:revenue', currency, leftMinor);
      const badTaxMinor = badDebtTaxOf({ totalMinor, settled }, taxMinor);
      add(`liabilities:tax:${country} ${percent}%`, currency, badTaxMinor - leftMinor);
      add('expenses:write_off', currency, -badTaxMinor);
    }
    add('expenses:write_off', currency, badDebtMinor + writtenOffMinor);
  }
  const moved = Object.entries(sums).filter(([, minor]) => minor !== 0);
  return Object.fromEntries(moved.map(([account, minor]) => [account, (minor / 100).toFixed(2)]));
}
