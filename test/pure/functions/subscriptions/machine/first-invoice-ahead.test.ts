import { dueMinor } from '../../../../../functions/invoices/due.ts';
import { appliedChange, decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import { firstInvoiceAhead } from '../../../../../functions/subscriptions/machine/documents.ts';
import { soldPlan } from '../../../../support/subscriptions/sold.ts';
import { onTrial, sampleContext, sampleOf } from '../../../../support/subscriptions/state-samples.ts';

const taxing = {
  name: 'Acme',
  legal: {
    legalName: 'Acme GmbH',
    address: { line1: 'Street 1', city: 'Berlin', postalCode: '10115', country: 'DE' },
  },
  tax: {
    rates: [{ country: 'DE', percent: 19 }],
    pricesInclude: 'exclusive',
    reverseCharge: false,
    withoutRate: 'seller_rate',
  },
} as const;
const address = { line1: 'Street 2', city: 'Bonn', postalCode: '53111', country: 'DE' };

test.each([-1_200, -1, 0, 1, 500, 998, 999, 5_000])(
  'the first invoice of a trial asks for what it is issued for, with a credit of %s cents',
  (credit) => {
    for (const seller of [{ name: 'Acme' }, taxing]) {
      for (const plan of [soldPlan, { ...soldPlan, quantity: 3 }, { ...soldPlan, priceMinor: 0 }]) {
        const trial = sampleOf('trialing', { ...onTrial, seller, plan });
        const context = sampleContext('payment');
        const client = { ...context.client, address, credit: { EUR: credit, USD: 7 } };
        const [issued] = appliedChange(decide(trial, { ...context, client }))?.issued ?? [];
        if (issued === undefined) throw new Error('No invoice was issued');
        const { n, totalMinor, currency, settled: { fromCreditMinor = 0, carriedMinor = 0 } = {} } = issued;
        const asked = dueMinor({ totalMinor, settled: { fromCreditMinor, carriedMinor } });
        expect(firstInvoiceAhead(trial, client)).toEqual({ n, totalMinor: asked, currency });
      }
    }
  },
);
