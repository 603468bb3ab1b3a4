import type { Invoice } from '../../invoices/invoice.ts';
import { taxed } from '../../invoices/tax.ts';
import type { Subscription } from '../record/subscription.ts';
import type { CommonContext } from './transition-context.ts';

/** The total of a sum of lines, and its tax. Without tax settings, the total is the sum. */
export function totalOf(
  sumMinor: number,
  {
    tax,
    legal = {},
  }: Pick<Subscription['seller'], 'tax'> & { legal?: Parameters<typeof taxed>[2]['seller'] },
  client: CommonContext['client'],
): Pick<Invoice, 'totalMinor' | 'taxes' | 'pricesInclude' | 'reverseCharge'> {
  if (tax === undefined) return { totalMinor: sumMinor };
  const { totalMinor, taxes, reverseCharge } = taxed(sumMinor, tax, { seller: legal, customer: client });
  if (reverseCharge) return { totalMinor, reverseCharge };
  return taxes.length === 0 ? { totalMinor } : { totalMinor, taxes, pricesInclude: tax.pricesInclude };
}

/** The total of an invoice of this amount, tax included. */
export function withTax(
  { seller }: Pick<Subscription, 'seller'>,
  client: CommonContext['client'],
  amountMinor: number,
): number {
  return totalOf(amountMinor, seller, client).totalMinor;
}
