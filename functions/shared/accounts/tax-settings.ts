import * as z from 'zod/mini';
import { isCurrency } from '../money/money.ts';
import { defaultSettings } from './default-settings.ts';
import { choice, described, flag, group, type TextField, type Texts, withDefault } from './setting-fields.ts';

const { tax } = defaultSettings;

const taxRate = ({ line: field, country }: Texts) => ({
  country,
  name: z.optional(field(40).check(withDefault('What the tax is called there.', 'VAT'))),
  percent: z.number().check(
    z.gte(0),
    z.lte(100),
    z.refine(
      (percent) => Math.abs(percent * 1_000 - Math.round(percent * 1_000)) < 1e-6,
      'must have at most three decimals',
    ),
    described('The rate in per cent, with at most three decimals.', { examples: [19] }),
  ),
  exemption: z.optional(
    field(200).check(described('For a rate of 0: the provision that exempts the supply.')),
  ),
});

const currency = (description: string, example: string) =>
  z
    .string()
    .check(
      z.refine(isCurrency, 'must be a currency of ISO 4217, such as EUR'),
      described(description, { examples: [example] }),
    );

const exchangeRate = (field: TextField) => ({
  currency: currency('ISO 4217.', 'USD'),
  rate: z.number().check(
    z.gt(0),
    z.lte(100_000),
    z.refine(hasEightDecimals, 'must have at most eight decimals'),
    described('The worth of one unit of it in the national currency, with at most eight decimals.', {
      examples: [0.92155],
    }),
  ),
  source: field(100).check(
    described('Who published the rate, and when. Invoices state it.', {
      examples: ['European Central Bank, 20 November 2026'],
    }),
  ),
});

function hasEightDecimals(rate: number): boolean {
  return Number(rate.toFixed(8)) === rate;
}

const taxSettings = (texts: Texts) => ({
  rates: z.optional(
    z.array(group('The rate of one country.', taxRate(texts))).check(
      z.maxLength(100),
      z.refine(
        (rates) => new Set(rates.map(({ country }) => country)).size === rates.length,
        'must have one rate for each country',
      ),
      withDefault("Rates by the country of the customer's address. They need the setting `seller`.", []),
    ),
  ),
  pricesInclude: choice(
    ['inclusive', 'exclusive'],
    'Whether the prices of plans include the tax (`inclusive`), or it is added to them (`exclusive`).',
    tax.pricesInclude,
  ),
  reverseCharge: flag(
    "Whether a customer owes the tax themselves if their address and their VAT id are of member states of the European Union other than the seller's.",
    tax.reverseCharge,
  ),
  withoutCountry: choice(
    ['seller_rate', 'refuse'],
    "How clients without an address are taxed while there are rates. `seller_rate`: as clients in the seller's country. `refuse`: they cannot subscribe.",
    tax.withoutCountry,
  ),
  badDebts: choice(
    ['reduce', 'keep'],
    'Whether the tax of uncollectible invoices is owed. `reduce`: no longer, until they are paid (Directive 2006/112/EC, Article 90). `keep`: it is, as where your law wants more than the end of dunning.',
    tax.badDebts,
  ),
  withoutRate: z.optional(
    z
      .enum(['seller_rate', 'refuse'])
      .check(
        described(
          "How clients in a member state of the European Union without a rate are taxed while there are rates, unless they owe the tax themselves. `seller_rate`: at the rate of the seller's country. `refuse`: they cannot subscribe. Without the setting, they cannot either. A client who moves there is taxed at the rate of the seller's country.",
        ),
      ),
  ),
  nationalCurrency: z.optional(
    currency('The currency in which invoices in another one state the tax as well.', 'EUR'),
  ),
  exchangeRates: z.optional(
    z.array(group('The rate of one currency.', exchangeRate(texts.line))).check(
      z.maxLength(50),
      z.refine(
        (rates) => new Set(rates.map(({ currency }) => currency)).size === rates.length,
        'must have one rate for each currency',
      ),
      withDefault('The rates of other currencies, in the national currency.', []),
    ),
  ),
});

export const taxSection = (texts: Texts) =>
  z.optional(
    group('The tax on invoices. Without it, invoices show none.', taxSettings(texts)).check(
      z.refine(
        ({ exchangeRates = [], nationalCurrency }) =>
          exchangeRates.length === 0 || nationalCurrency !== undefined,
        {
          message: 'is required with exchangeRates, which are in it',
          path: ['nationalCurrency'],
        },
      ),
    ),
  );
