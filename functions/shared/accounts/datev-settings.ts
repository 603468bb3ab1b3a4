/** How the journal is exported to DATEV: a section of the settings. */
import * as z from 'zod/mini';
import { CountryCode } from '../fields/postal-address.ts';
import { defaultSettings } from './default-settings.ts';
import { described, group, section, withDefault } from './setting-fields.ts';

const { datev } = defaultSettings;

const account = (description: string) =>
  z
    .string()
    .check(z.regex(/^[1-9]\d{0,8}$|^0\d{3,7}$/, 'must be the number of an account'), described(description));

/** https://developer.datev.de/datev/platform/de/dtvf/formate/header */
export const datevSection = section('How `GET /api/v1/journal?format=datev` writes the journal for DATEV.', {
  consultant: z
    .int()
    .check(
      z.gte(1_001),
      z.lte(9_999_999),
      described('The number of the tax consultant (Beraternummer).', { examples: [29_098] }),
    ),
  client: z
    .int()
    .check(
      z.gte(1),
      z.lte(99_999),
      described('The number of the client of the consultant (Mandantennummer).', { examples: [55_003] }),
    ),
  fiscalYearStart: z.optional(
    z
      .string()
      .check(
        z.regex(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/, 'must be a month and a day, such as 01-01'),
        withDefault('The month and the day on which a fiscal year begins.', datev.fiscalYearStart),
      ),
  ),
  accountLength: z.optional(
    z
      .int()
      .check(
        z.gte(4),
        z.lte(8),
        withDefault('The digits of the numbers of general ledger accounts.', datev.accountLength),
      ),
  ),
  accounts: group('The account in DATEV for each account of the ledger.', {
    bank: account('Transfers, and payments that the application reports.'),
    gateway: account('Money at the payment gateway.'),
    receivable: account('What clients owe: a personal account, for example one for diverse clients.'),
    credit: account('Credit of clients.'),
    unallocated: account('Payments that wait for a decision.'),
    revenue: account('Sales without tax. Not an account that computes tax itself: tax has its own entries.'),
    tax: account('Tax of sales.'),
    write_off: account('What is given up.'),
  }),
  rates: z.optional(
    z
      .array(
        group('Accounts for the sales of a country, or of a rate of it.', {
          country: CountryCode,
          percent: z.optional(z.number().check(described('Absent for all rates of the country.'))),
          revenue: account('Sales without tax.'),
          tax: account('Tax of sales.'),
        }),
      )
      .check(
        z.maxLength(100),
        described('Accounts that differ by country or rate. The first one that fits applies.'),
      ),
  ),
});
