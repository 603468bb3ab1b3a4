import fc from 'fast-check';
import {
  nationalTax,
  share,
  type TaxSettings,
  taxed,
  taxProblem,
} from '../../../../functions/invoices/tax.ts';

const rates = [
  { country: 'FI', percent: 25.5 },
  { country: 'DE', percent: 19, name: 'USt' },
  { country: 'FR', percent: 20 },
  { country: 'CH', percent: 0, exemption: 'Article 44' },
];
type Case = [TaxSettings['pricesInclude'], from: string, to: string, vatId: string, expected: string];

/** The tax on 9.99 EUR, as a text. */
function taxOf(
  pricesInclude: Case[0],
  from: string,
  to: string,
  vatId: string,
  reverseCharge = true,
): string {
  const party = (country: string, id?: string) => ({
    address: country === '' ? undefined : { country },
    vatId: id === '' ? undefined : id,
  });
  const parties = { seller: party(from), customer: party(to, vatId) };
  const { totalMinor, taxes, ...rest } = taxed(999, { rates, pricesInclude, reverseCharge }, parties);
  const lines = taxes.map(({ name, country, percent, taxableMinor, taxMinor, exemption }) =>
    [name, country, percent, `${taxMinor} on ${taxableMinor}`, exemption ?? ''].join(' ').trim(),
  );
  return [totalMinor, ...lines, rest.reverseCharge ? 'reverse charge' : ''].join('; ').replace(/; $/, '');
}

describe('the tax on 9.99', () => {
  test.each<Case>([
    ['inclusive', 'FI', 'FI', '', '999; VAT FI 25.5 203 on 796'],
    ['exclusive', 'FI', 'FI', '', '1254; VAT FI 25.5 255 on 999'],
    ['exclusive', 'FI', 'DE', '', '1189; USt DE 19 190 on 999'],
    ['exclusive', 'FI', 'DE', 'DE123456789', '999; reverse charge'],
    ['exclusive', 'DE', 'DE', 'DE123456789', '1189; USt DE 19 190 on 999'],
    ['exclusive', 'CH', 'DE', 'DE123456789', '1189; USt DE 19 190 on 999'],
    ['exclusive', '', 'DE', 'DE123456789', '1189; USt DE 19 190 on 999'],
    ['exclusive', 'DE', 'FR', 'DE123456789', '1199; VAT FR 20 200 on 999'],
    ['exclusive', 'DE', 'FR', 'IT12345678901', '999; reverse charge'],
    ['exclusive', 'DE', 'FR', 'XI123456789', '1199; VAT FR 20 200 on 999'],
    ['exclusive', 'DE', 'FR', 'CHE123', '1199; VAT FR 20 200 on 999'],
    ['exclusive', 'GR', 'FR', 'EL123456789', '1199; VAT FR 20 200 on 999'],
    ['exclusive', 'DE', 'FR', 'EL123456789', '999; reverse charge'],
    ['exclusive', 'FI', 'CH', 'CHE123', '999; VAT CH 0 0 on 999 Article 44'],
    ['inclusive', 'FI', 'JP', '', '999'],
    ['inclusive', 'FI', '', 'DE123456789', '999; VAT FI 25.5 203 on 796'],
    ['exclusive', 'DE', '', '', '1189; USt DE 19 190 on 999'],
    ['exclusive', 'JP', '', '', '999'],
    ['exclusive', '', '', '', '999'],
  ])('in %s prices, from %j to %j with the VAT id %j, is: %j', (pricesInclude, from, to, vatId, expected) => {
    expect(taxOf(pricesInclude, from, to, vatId)).toBe(expected);
  });

  test('is charged across the border when the seller does not use the reverse charge', () => {
    expect(taxOf('exclusive', 'FI', 'DE', 'DE123456789', false)).toBe('1189; USt DE 19 190 on 999');
  });

  test('is rounded half up, and what is taxed and the tax are the total, for every amount and rate', () => {
    const amounts = fc.integer({ min: -100_000_000_000, max: 100_000_000_000 });
    const thousandths = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(
        amounts,
        thousandths,
        fc.constantFrom<TaxSettings['pricesInclude']>('inclusive', 'exclusive'),
        (sum, rate, pricesInclude) => {
          const settings: TaxSettings = {
            rates: [{ country: 'FI', percent: rate / 1_000 }],
            pricesInclude,
            reverseCharge: false,
          };
          const parties = { seller: {}, customer: { address: { country: 'FI' } } };
          const { totalMinor, taxes } = taxed(sum, settings, parties);
          const [{ taxableMinor, taxMinor } = { taxableMinor: 0, taxMinor: 0 }] = taxes;
          expect(taxableMinor + taxMinor).toBe(totalMinor);
          expect(pricesInclude === 'inclusive' ? totalMinor : taxableMinor).toBe(sum);
          const whole = pricesInclude === 'inclusive' ? 100_000 + rate : 100_000;
          // At most half a unit away from the exact value.
          const distance = BigInt(taxMinor) * BigInt(whole) - BigInt(sum) * BigInt(rate);
          expect((distance < 0n ? -distance : distance) * 2n <= BigInt(whole)).toBe(true);
        },
      ),
    );
  });

  test.each([
    [5, 1, 2, 3],
    [-5, 1, 2, -3],
    [4, 1, 3, 1],
    [0, 1, 3, 0],
  ])('half a unit is rounded away from zero: %d × %d / %d is %d', (amount, part, whole, expected) => {
    expect(share(amount, part, whole)).toBe(expected);
  });
});

describe('the tax in the national currency', () => {
  const source = 'European Central Bank, 20 November 2026';
  const exchangeRates = [
    { currency: 'USD', rate: 0.92155, source },
    { currency: 'JPY', rate: 0.00614439, source },
    { currency: 'EUR', rate: 1, source },
  ];
  const settings: TaxSettings = {
    rates,
    pricesInclude: 'exclusive',
    reverseCharge: false,
    nationalCurrency: 'EUR',
    exchangeRates,
  };
  const tax = (taxMinor: number) => ({
    name: 'VAT',
    country: 'FI',
    percent: 25.5,
    taxableMinor: 1,
    taxMinor,
  });

  test.each([
    ['USD', [tax(255)], 235],
    ['USD', [tax(-255), tax(5)], -230],
    // A yen has no decimals: 1,000 yen are 6.14 euros.
    ['JPY', [tax(1_000)], 614],
  ])('of an invoice in %s is computed by the rate, and rounded half up', (currency, taxes, taxMinor) => {
    const { rate } = exchangeRates.find((one) => one.currency === currency) ?? {};
    expect(nationalTax(taxes, currency, settings)).toEqual({ currency: 'EUR', taxMinor, rate, source });
  });

  test.each<[string, string, number, object]>([
    ['in the national currency', 'EUR', 255, {}],
    ['in a currency without a rate', 'SEK', 255, {}],
    ['without tax', 'USD', 0, {}],
    ['of a seller who states no national currency', 'USD', 255, { nationalCurrency: undefined }],
  ])('is not stated on an invoice %s', (_, currency, taxMinor, more) => {
    expect(nationalTax([tax(taxMinor)], currency, { ...settings, ...more })).toBeUndefined();
  });
});

describe('the place of a customer', () => {
  const own = [
    ...['DE', 'ES', 'FR', 'GR', 'IT', 'FI', 'GB', 'RE'].map((country) => ({ country, percent: 10 })),
  ];
  const rateAt = (country: string, postalCode: string, seller: object = { country: 'DE' }) => {
    const parties = {
      seller: { address: seller as { country: string } },
      customer: { address: { country, postalCode }, vatId: 'FR83404833048' },
    };
    const settings = { rates: own, pricesInclude: 'exclusive', reverseCharge: false } as const;
    return taxed(1_000, settings, parties).taxes[0]?.country;
  };

  test.each([
    ['DE', '27498'],
    ['DE', 'D-78266'],
    ['DE', 'CH-8238'],
    ['DE', '２７４９８'],
    ['ES', '35001'],
    ['ES', '38 400'],
    ['ES', '51001'],
    ['ES', '52001'],
    ['FI', 'FI-22100'],
    ['AX', '22100'],
    ['FR', '97110'],
    ['GP', '97110'],
    ['FR', '98713'],
    ['GR', '630 86'],
    ['IT', '23041'],
    ['IT', '22061'],
  ])('in %s %s is outside of the tax of the member state', (country, postalCode) => {
    expect(rateAt(country, postalCode)).toBeUndefined();
  });

  test.each([
    ['DE', '10115', 'DE'],
    ['ES', '28001', 'ES'],
    ['MC', '98000', 'FR'],
    ['FR', '98000', 'FR'],
    ['FR', '97400', 'RE'],
    ['IM', 'IM1 1AA', 'GB'],
    ['GR', '', 'GR'],
  ])('in %s %s has the tax of %s', (country, postalCode, taxedIn) => {
    expect(rateAt(country, postalCode)).toBe(taxedIn);
  });

  test('has the rate of the country within the place of the seller', () => {
    const canary = { country: 'ES', postalCode: '35001' };
    expect(rateAt('ES', '35002', canary)).toBe('ES');
    expect(rateAt('ES', '28001', canary)).toBe('ES');
  });

  test('in Monaco with a French VAT id owes the tax themselves, and one with a Greek id under GR does not', () => {
    const settings = { rates: own, pricesInclude: 'exclusive', reverseCharge: true } as const;
    const seller = { address: { country: 'DE' } };
    const reverse = (country: string, vatId: string, postalCode = '') =>
      taxed(1_000, settings, { seller, customer: { address: { country, postalCode }, vatId } }).reverseCharge;
    expect(reverse('MC', 'FR83404833048')).toBe(true);
    expect(reverse('GR', 'EL123456789')).toBe(true);
    expect(reverse('GR', 'GRX1')).toBeUndefined();
    expect(reverse('FR', 'XI123456789')).toBeUndefined();
    expect(reverse('ES', 'ES12345678R', '35001')).toBeUndefined();
  });
});

describe('a customer in a member state without a rate', () => {
  const seller = { address: { country: 'DE' } };
  const settingsWith = (more: Partial<TaxSettings>) => ({
    rates: [{ country: 'DE', percent: 19 }],
    pricesInclude: 'exclusive' as const,
    reverseCharge: true,
    withoutCountry: undefined,
    ...more,
  });
  const customer = { address: { country: 'FR' } };

  test('is taxed at the rate of the seller whatever the setting, which decides whether they can subscribe', () => {
    for (const more of [{}, { withoutRate: 'refuse' }, { withoutRate: 'seller_rate' }] as const) {
      const settings = settingsWith(more);
      expect(taxed(1_000, settings, { seller, customer }).taxes).toMatchObject([
        { country: 'DE', taxMinor: 190 },
      ]);
      const isSold = taxProblem(settings, { seller, customer }) === undefined;
      expect(isSold).toBe('withoutRate' in more && more.withoutRate === 'seller_rate');
    }
  });

  test.each<[string, Partial<TaxSettings>, object]>([
    ['who owes the tax themselves', {}, { ...customer, vatId: 'FR83404833048' }],
    ['without any rates', { rates: [] }, customer],
    ['with a rate of 0', { rates: [{ country: 'FR', percent: 0 }] }, customer],
    ['outside of the European Union', {}, { address: { country: 'US' } }],
    ['outside of its tax', {}, { address: { country: 'ES', postalCode: '35001' } }],
    ['without an address', {}, {}],
  ])('is nobody %s', (_, more, other) => {
    expect(taxProblem(settingsWith(more), { seller, customer: other })).toBeUndefined();
  });
});
