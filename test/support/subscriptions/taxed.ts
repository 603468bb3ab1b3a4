/** Settings of a seller who charges tax. */

/** `seller`: a company in Germany, with a VAT id. */
export const germanSeller = {
  legalName: 'Example GmbH',
  address: { line1: 'Hauptstr. 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
  vatId: 'DE136695976',
};

/** `tax`: prices include the German rate. */
export const germanTax = { rates: [{ country: 'DE', percent: 19 }], pricesInclude: 'inclusive' };
