import type { DatevSettings } from '../../../functions/journal/datev.ts';

/** A setting `datev`, with accounts of SKR 04. */
export const datev = {
  consultant: 29_098,
  client: 55_003,
  accounts: {
    bank: '1800',
    gateway: '1460',
    receivable: '10000',
    credit: '3300',
    unallocated: '1490',
    revenue: '4000',
    tax: '3800',
    writeOff: '6930',
  },
  rates: [{ country: 'DE', percent: 19, revenue: '4401', tax: '3806' }],
} satisfies DatevSettings;
