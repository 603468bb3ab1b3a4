import type { Invoice, InvoiceLine } from '../invoice.ts';
import { share, sumOf } from '../tax.ts';

/**
 * The lines with amounts without tax. Amounts that include tax are divided in proportion, so that they add up to the total
 * without tax: each sum of the first lines is rounded half up.
 */
export function netLines({
  lines,
  taxes = [],
  pricesInclude,
  totalMinor,
}: Pick<Invoice, 'lines' | 'taxes' | 'pricesInclude' | 'totalMinor'>): InvoiceLine[] {
  if (pricesInclude !== 'inclusive') return [...lines];
  const netMinor = totalMinor - sumOf(taxes);
  let grossMinor = 0;
  let shownMinor = 0;
  return lines.map(({ description, quantity, amountMinor }) => {
    grossMinor += amountMinor;
    const upToHere = totalMinor === 0 ? 0 : share(grossMinor, netMinor, totalMinor);
    const net = upToHere - shownMinor;
    shownMinor = upToHere;
    return { description, quantity, amountMinor: net };
  });
}

/**
 * The price of one unit: in minor units, or with as many decimals more as it needs, so that the price times the quantity is
 * the amount of the line when it is rounded half up.
 */
export function unitPrice(
  { quantity, amountMinor }: Pick<InvoiceLine, 'quantity' | 'amountMinor'>,
  moreDecimals = 0,
): { minor: number; moreDecimals: number } {
  const scale = 10 ** moreDecimals;
  const units = Math.max(quantity, 1);
  const minor = share(amountMinor, scale, units);
  if (share(minor, units, scale) === amountMinor) return { minor, moreDecimals };
  return unitPrice({ quantity, amountMinor }, moreDecimals + 1);
}
