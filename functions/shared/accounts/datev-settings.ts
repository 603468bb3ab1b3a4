import * as z from 'zod/mini';
import { defaultSettings } from './default-settings.ts';
import { described, group, type Texts, withDefault } from './setting-fields.ts';

const { datev } = defaultSettings;

const account = (description: string) =>
  z
    .string()
    .check(z.regex(/^0{0,7}[1-9]\d{0,8}$/, 'must be the number of an account'), described(description));
const saleAccount = account(
  'Sales without tax. Not an account that computes tax itself: tax has its own entries.',
);
const taxAccount = account('Tax of sales.');

const rates = (country: Texts['country']) =>
  z.optional(
    z
      .array(
        z.discriminatedUnion('kind', [
          group('Accounts for the taxed sales of a country, or of a rate of it.', {
            country,
            kind: z.optional(
              z.literal('standard').check(described('Sales with tax at a rate, which can be 0.')),
            ),
            percent: z.optional(z.number().check(described('Absent for all rates of the country.'))),
            revenue: saleAccount,
            tax: taxAccount,
          }),
          group('The account for the sales of a country without tax.', {
            country,
            kind: z
              .enum(['reverse_charge', 'none'])
              .check(
                described(
                  '`reverse_charge`: to businesses, who owe the tax. `none`: no rate is set for the country.',
                ),
              ),
            revenue: saleAccount,
          }),
        ]),
      )
      .check(
        z.maxLength(100),
        described('Accounts that differ by country, kind of sale or rate. The first one that fits applies.'),
      ),
  );

/** https://developer.datev.de/datev/platform/de/dtvf/formate/header */
const fields = ({ country }: Texts) => ({
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
    receivable: account('Debts of clients: a personal account, for example one for diverse clients.'),
    credit: account('Credit of clients.'),
    unallocated: account('Payments that wait for a decision.'),
    revenue: saleAccount,
    tax: taxAccount,
    writeOff: account('Amounts that are given up.'),
  }),
  rates: rates(country),
});

/** Accounts of parties, which DATEV calls personal accounts, have one digit more. */
const ofParties = ['receivable', 'credit', 'unallocated'];

export const datevSection = (texts: Texts) =>
  z.optional(
    group('How `GET /api/v1/journal?format=datev` writes the journal for DATEV.', fields(texts)).check(
      z.refine(
        ({ accounts, accountLength = datev.accountLength }) =>
          Object.entries(accounts).every(
            ([name, number]) => String(number).length <= accountLength + (ofParties.includes(name) ? 1 : 0),
          ),
        {
          message: `must have up to accountLength digits, and ${ofParties.join(', ')} one more`,
          path: ['accounts'],
        },
      ),
      z.refine(
        ({ rates = [], accountLength = datev.accountLength }) =>
          rates.every(({ revenue, ...rate }) =>
            [revenue, 'tax' in rate ? rate.tax : ''].every(
              (number) => String(number).length <= accountLength,
            ),
          ),
        { message: 'must have accounts of up to accountLength digits', path: ['rates'] },
      ),
    ),
  );
