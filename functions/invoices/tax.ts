import type { Sale } from '../ledger/entry.ts';
import type { ApplicationSettings } from '../shared/accounts/application-settings.ts';
import { defined } from '../shared/contract/defined.ts';
import { memberStateOf, memberStates } from '../shared/fields/vat-id.ts';
import { decimalsOf } from '../shared/money/money.ts';
import { type TaxAddress, taxPlace } from './tax-places.ts';

type TaxSetting = NonNullable<ApplicationSettings['tax']>;
type TaxRate = NonNullable<TaxSetting['rates']>[number];

/** The setting `tax`, with its defaults. */
export interface TaxSettings
  extends Readonly<Pick<TaxSetting, 'badDebts' | 'withoutRate' | 'nationalCurrency' | 'exchangeRates'>> {
  rates: readonly TaxRate[];
  pricesInclude: 'inclusive' | 'exclusive';
  reverseCharge: boolean;
}

/** The tax of an invoice in the national currency of the seller. */
export interface NationalTax {
  currency: string;
  taxMinor: number;
  /** The worth of one unit of the currency of the invoice. */
  rate: number;
  source: string;
}

/** The tax of an invoice at one rate. Amounts in minor units. */
export interface TaxLine {
  name: string;
  country: string;
  percent: number;
  taxableMinor: number;
  taxMinor: number;
  exemption?: string;
}

interface Party {
  address?: TaxAddress | undefined;
  vatId?: string | undefined;
}

interface Parties {
  readonly seller: Party;
  readonly customer: Party;
}

/** The totals of an invoice, from the sum of its lines and the tax. */
export interface Taxed {
  /** The amount owed, tax included. */
  totalMinor: number;
  taxes: TaxLine[];
  reverseCharge?: true;
}

/**
 * The tax on the sum of the lines of an invoice, by the country of the customer's address.
 *
 * The customer owes the tax themselves when their address and their VAT id are of member states of the European Union other
 * than the seller's (Directive 2006/112/EC, Articles 44 and 196). The sum is then the total: a price that includes tax is
 * the same for every customer.
 *
 * A customer without an address is taxed as one in the seller's country. Without a rate for the country there is no tax, but in a
 * member state the seller's rate applies: a customer who moves there takes no tax away. The setting decides who can subscribe there.
 *
 * Tax is computed once on the sum of the lines, not on each line, and rounded half up, away from zero, to the minor unit.
 *
 * @param sumMinor in the terms of `pricesInclude`.
 */
export function taxed(sumMinor: number, settings: TaxSettings, parties: Parties): Taxed {
  if (settings.reverseCharge && owesTaxThemselves(parties))
    return { totalMinor: sumMinor, taxes: [], reverseCharge: true };
  const rate = rateFor(settings, parties);
  const { pricesInclude } = settings;
  if (rate === undefined) return { totalMinor: sumMinor, taxes: [] };
  const { name = 'VAT', country, percent, exemption } = rate;
  // Percentages have at most three decimals.
  const thousandths = Math.round(percent * 1_000);
  const isInclusive = pricesInclude === 'inclusive';
  const taxMinor = share(sumMinor, thousandths, 100_000 + (isInclusive ? thousandths : 0));
  const taxableMinor = isInclusive ? sumMinor - taxMinor : sumMinor;
  const line: TaxLine = { name, country, percent, taxableMinor, taxMinor };
  if (exemption !== undefined) line.exemption = exemption;
  return { totalMinor: taxableMinor + taxMinor, taxes: [line] };
}

/**
 * Why a customer cannot subscribe because of the tax, if they cannot. Without rates, nothing is taxed.
 *
 * @param settings those of the seller, and how they tax customers without an address.
 */
export function taxProblem(
  settings: TaxSettings & { withoutCountry: 'seller_rate' | 'refuse' | undefined },
  parties: Parties,
): string | undefined {
  if (settings.rates.length === 0) return undefined;
  if (parties.customer.address === undefined && settings.withoutCountry === 'refuse')
    return 'has no address, whose country decides the tax: add it with POST /clients';
  if (settings.reverseCharge && owesTaxThemselves(parties)) return undefined;
  const place = placeOf(parties.customer);
  const rate = rateFor(settings, parties);
  const isAtHome = place === placeOf(parties.seller) || settings.withoutRate === 'seller_rate';
  const isKnown = !isMemberState(place) || (rate !== undefined && (rate.country === place || isAtHome));
  return isKnown
    ? undefined
    : 'is in a member state of the European Union without a rate of tax: set tax.rates for it, or tax.withoutRate';
}

/** The rate of a country, or of the one as which it is taxed. Within a place without a rate of its own, that of the country applies. */
function rateFor({ rates }: TaxSettings, { seller, customer }: Parties): TaxRate | undefined {
  const home = placeOf(seller);
  const place = placeOf(customer) ?? home;
  const rateOf = (...names: (string | undefined)[]) =>
    names.map((name) => rates.find(({ country }) => country === name)).find((rate) => rate !== undefined);
  const sellerRate = () => rateOf(seller.address?.country, home);
  if (place === home) return sellerRate();
  return rateOf(place) ?? (isMemberState(place) ? sellerRate() : undefined);
}

const placeOf = ({ address }: Party) => address && taxPlace(address);

/**
 * The tax of an invoice in the national currency (Directive 2006/112/EC, Article 230). The seller has given the rate: Article 91(2) names
 * its sources, the market of the member state and the European Central Bank. Rounded half up, away from zero.
 *
 * @returns undefined without tax, in the national currency itself, and without a rate.
 */
export function nationalTax(
  taxes: readonly TaxLine[],
  currency: string,
  { nationalCurrency, exchangeRates = [] }: TaxSettings,
): NationalTax | undefined {
  const taxMinor = sumOf(taxes);
  const exchange = exchangeRates.find((rate) => rate.currency === currency);
  if (taxMinor === 0 || exchange === undefined) return undefined;
  if (nationalCurrency === undefined || nationalCurrency === currency) return undefined;
  const { rate, source } = exchange;
  // Each currency has its own minor unit.
  const part = Math.round(rate * rateScale) * 10 ** decimalsOf(nationalCurrency);
  const nationalMinor = share(taxMinor, part, rateScale * 10 ** decimalsOf(currency));
  return { currency: nationalCurrency, taxMinor: nationalMinor, rate, source };
}

/** A rate has at most eight decimals. */
const rateScale = 100_000_000;

export interface DocumentTax {
  taxes?: readonly TaxLine[];
  /** In the national currency of the seller: Directive 2006/112/EC, Article 230. Absent for a document in it. */
  nationalTax?: NationalTax;
  /** Whether the customer owes the tax: Directive 2006/112/EC, Article 226, point 11a. */
  reverseCharge?: true;
}

/** Whether tax was decided on: there are tax lines, or the customer owes it. */
export function isTaxed({ taxes, reverseCharge }: DocumentTax): boolean {
  return taxes !== undefined || reverseCharge === true;
}

export interface TaxedTotal extends DocumentTax {
  totalMinor: number;
}

/** A part of the total of an invoice, in minor units, after the parts that make up `fromMinor`. */
interface Part {
  fromMinor: number;
  amountMinor: number;
}

/**
 * The tax in a part of the total of an invoice. The tax of the parts up to one is rounded half up, so that the taxes of all
 * parts add up to the tax of the invoice.
 */
export function taxOfPart(
  { totalMinor, taxes, nationalTax: national, reverseCharge }: TaxedTotal,
  { fromMinor, amountMinor }: Part,
): DocumentTax {
  const upTo = (ofMinor: number, soldMinor: number) => share(soldMinor, ofMinor, totalMinor);
  const partOf = (ofMinor: number) => upTo(ofMinor, fromMinor + amountMinor) - upTo(ofMinor, fromMinor);
  return defined({
    taxes: taxes?.map((tax) => {
      const taxMinor = partOf(tax.taxMinor);
      const grossMinor = partOf(tax.taxableMinor + tax.taxMinor);
      return { ...tax, taxableMinor: grossMinor - taxMinor, taxMinor };
    }),
    nationalTax: national && { ...national, taxMinor: partOf(national.taxMinor) },
    reverseCharge,
  });
}

export const sumOf = (taxes: readonly TaxLine[]) => taxes.reduce((sum, { taxMinor }) => sum + taxMinor, 0);

function owesTaxThemselves({ seller, customer }: Parties): boolean {
  const from = placeOf(seller);
  const to = placeOf(customer);
  const registeredIn = customer.vatId && memberStateOf(customer.vatId);
  return isMemberState(from) && [to, registeredIn].every((state) => isMemberState(state) && state !== from);
}

/** A sale of an invoice, as far as its tax needs it. */
export interface SaleParties {
  readonly seller: { readonly legal?: Party };
  readonly customer: Party;
}

/**
 * How a part of an invoice is taxed, by its tax and the invoice's parties; undefined without tax where the country of the
 * customer is unknown. An invoice has tax at one rate at most.
 *
 * The One Stop Shop is for sales to consumers of member states other than the seller's (Directive 2006/112/EC, Articles 358a
 * to 369k). A customer with a VAT id is no consumer.
 */
export function saleOf(
  { taxes: [line] = [], nationalTax: national, reverseCharge }: DocumentTax,
  { seller: { legal = {} }, customer }: SaleParties,
): Sale | undefined {
  const home = legal.address?.country;
  if (line === undefined) {
    const country = customer.address?.country ?? home;
    if (country === undefined) return undefined;
    return { kind: reverseCharge ? 'reverse_charge' : 'none', country };
  }
  const { country, percent } = line;
  const isAbroad = country !== home && country !== placeOf(legal);
  const isOss = percent > 0 && isMemberState(country) && isAbroad && customer.vatId === undefined;
  return {
    kind: 'standard',
    country,
    percent,
    ...defined({
      oss: isOss || undefined,
      national: national && { currency: national.currency, amountMinor: national.taxMinor },
    }),
  };
}

const isMemberState = (country = '') => memberStates.has(country);

/** `amount × part / whole`, rounded half up, away from zero. Exact: the product may exceed the safe integers. */
export function share(amount: number, part: number, whole: number): number {
  const magnitude = (BigInt(Math.abs(amount)) * BigInt(part) * 2n + BigInt(whole)) / (BigInt(whole) * 2n);
  return Math.sign(amount) * Number(magnitude) || 0;
}
