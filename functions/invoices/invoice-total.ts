import type { Invoice, Seller } from './invoice.ts';
import { type TaxSettings, taxed } from './tax.ts';

type TaxingSeller = Pick<Seller, 'legal'> & { readonly tax?: TaxSettings };
type Customer = Parameters<typeof taxed>[2]['customer'];

/** The total of a sum of lines, and its tax. Without tax settings, the total is the sum. */
export function totalOf(
  sumMinor: number,
  { tax, legal }: TaxingSeller,
  customer: Customer,
): Pick<Invoice, 'totalMinor' | 'taxes' | 'pricesInclude' | 'reverseCharge'> {
  if (tax === undefined) return { totalMinor: sumMinor };
  const { totalMinor, taxes, reverseCharge } = taxed(sumMinor, tax, { seller: legal ?? {}, customer });
  if (reverseCharge) return { totalMinor, reverseCharge };
  return taxes.length === 0 ? { totalMinor } : { totalMinor, taxes, pricesInclude: tax.pricesInclude };
}

export function withTax(
  { seller }: { readonly seller: TaxingSeller },
  customer: Customer,
  amountMinor: number,
): number {
  return totalOf(amountMinor, seller, customer).totalMinor;
}
