import { unlinkedText } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { type DocumentTax, isTaxed, type NationalTax, sumOf, type TaxLine } from '../tax.ts';
import type { Row } from './row.ts';

/** A note names the provision that exempts the supply: no tax is charged, and none is shown. */
const isExempt = (taxes: readonly TaxLine[]) =>
  taxes.length > 0 && taxes.every(({ exemption }) => exemption !== undefined);

export const showsTax = (document: DocumentTax) => isTaxed(document) && !isExempt(document.taxes ?? []);

/** The total without tax, and the tax: by rate, and in the national currency. Empty without tax, and for a supply that is exempt. */
export function taxRows(
  totalMinor: number,
  taxes: readonly TaxLine[],
  { currency, national }: { currency: string; national: NationalTax | undefined },
): Row[] {
  if (taxes.length === 0 || isExempt(taxes)) return [];
  return [
    ['Total without tax', formatAmount(totalMinor - sumOf(taxes), currency)],
    ...taxes.map(
      ({ name, percent, taxableMinor, taxMinor }): Row => [
        `${unlinkedText(name)} ${percent} % on ${formatAmount(taxableMinor, currency)}`,
        formatAmount(taxMinor, currency),
      ],
    ),
    ...nationalRows(national, currency),
  ];
}

/** The tax in the national currency, with the rate and its source. */
function nationalRows(tax: NationalTax | undefined, currency: string): Row[] {
  if (tax === undefined) return [];
  const { rate, source } = tax;
  // Without an exponent, which small numbers have.
  const digits = rate.toFixed(8).replace(/\.?0+$/, '');
  const exchange = `1 ${currency} = ${tax.currency} ${digits}, ${unlinkedText(source)}`;
  return [[`The tax in ${tax.currency} (${exchange})`, formatAmount(tax.taxMinor, tax.currency)]];
}

/** Directive 2006/112/EC, Article 226, points 11 and 11a. */
export function notesOf({ taxes = [], reverseCharge }: DocumentTax): string[] {
  if (reverseCharge) return ['Reverse charge: the customer is liable for the payment of the VAT.'];
  return taxes.flatMap(({ exemption }) => (exemption === undefined ? [] : [unlinkedText(exemption)]));
}
