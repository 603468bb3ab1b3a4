import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals, sellerRoute } from '../../shared/contract/route-parts.ts';
import { base64Field } from '../../shared/fields/base64-field.ts';
import { described } from '../../shared/fields/described.ts';
import { lineField } from '../../shared/fields/text.ts';
import { isCurrency } from '../../shared/money/money.ts';
import { dateFormats } from '../import/file/dates.ts';
import { statementFormats } from '../import/statement.ts';
import { StatementPage } from '../response-schemas.ts';

/** Lambda takes 6 MB. As gzip, this is some 30 MB of XML. */
const maxFileBytes = 3 * 1024 * 1024;

/** The file as Base64, and the mapping. */
const statementBodyMaxBytes = Math.ceil(maxFileBytes / 3) * 4 + 16 * 1024;

const maxColumnName = 100;

const maxReferenceColumns = 5;

const maxAccount = 50;

const column = lineField(maxColumnName);

const maxValues = 10;

const values = z.array(column).check(z.minLength(1), z.maxLength(maxValues));

const mapping = z.object({
  columns: z
    .object({
      date: column.check(described('The value date.')),
      amount: column.check(
        described(
          'The amount, with a sign or of credits only. An entry with a negative or empty amount is a withdrawal.',
        ),
      ),
      currency: z.optional(column),
      reference: z.optional(
        z
          .array(column)
          .check(
            z.minLength(1),
            z.maxLength(maxReferenceColumns),
            described(
              'The remittance information: what the payer wrote. Texts of several columns are joined.',
            ),
          ),
      ),
      name: z.optional(column.check(described('The name of the payer.'))),
      iban: z.optional(column.check(described('The account of the payer.'))),
      id: z.optional(column.check(described("The bank's id of the entry, if it never changes."))),
      direction: z.optional(
        column.check(
          described(
            'The column of debit and credit. Required where amounts have no sign and the file has one.',
          ),
        ),
      ),
      status: z.optional(
        column.check(described('The column of statuses. Entries that the bank has not booked are left out.')),
      ),
    })
    .check(described('The names of columns, as the header of the file has them.')),
  creditValues: z.optional(
    values.check(
      described(
        'The values of `direction` that are credits, in any case. Without it: `C`, `CR`, `CRDT`, `Credit`, `K`, `Bij`, `IN`, `H`, `Haben`.',
      ),
    ),
  ),
  bookedValues: z.optional(
    values.check(
      described(
        'The values of `status` that are booked, in any case. Without it: `BOOK`, `Booked`, `Completed`, `Posted`, `Gebucht`, `Umsatz gebucht`.',
      ),
    ),
  ),
  dateFormat: z._default(z.enum(dateFormats), 'YYYY-MM-DD'),
  decimalSeparator: z._default(z.enum(['.', ',']), '.'),
  currency: z.optional(
    z.string().check(
      z.refine(isCurrency, 'must be an ISO 4217 code'),
      z.meta({
        description: 'The currency of entries without a value in the column `currency`, as an ISO 4217 code.',
        examples: ['EUR'],
      }),
    ),
  ),
  account: z.optional(
    lineField(maxAccount).check(
      described('Your account. Entries of two accounts are two payments, even if they are equal.'),
    ),
  ),
});

const NewStatement = z.object({
  format: z.enum(statementFormats),
  file: base64Field(1, maxFileBytes).check(
    z.meta({
      description: 'The file as Base64: as the bank gave it, or packed with gzip.',
      examples: ['PD94bWwgdmVyc2lvbj0iMS4wIj8+'],
    }),
  ),
  mapping: z.optional(mapping.check(described('How a CSV file is read. Required for `csv`.'))),
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/bank-statements',
  summary: 'Creates a dry run of a bank statement: it shows which subscription each entry pays.',
  description: `\
No payment is recorded until the statement is confirmed. \`file\` is CAMT.053 of any version, or CSV with a
\`mapping\`, of at most 10,000 entries.

An entry is \`matched\` when the text or the \`EndToEndId\` of the payer contains the reference number of one subscription, with its check
character, its creditor reference (ISO 11649), or the number of an invoice in its series. It is \`suggested\` when a person has to decide: the payer wrote several
reference numbers, or an open invoice has the amount of the entry and its client the name of the payer. An entry that was
recorded before, from this file or another one, is a \`duplicate\`.

A file has at most 1,000,000 elements and attributes, or cells and lines. No tag, no text between two tags and no line has more
than 100,000 characters. Elements are nested at most 40 deep. An application has one file read at a time. Another request meanwhile
is \`rate_limited\`: send it again after the seconds of \`Retry-After\`.

The response has the first page of the entries. A repeated request reads the file again, as another statement: each
entry is still recorded once.`,
  ...sellerRoute,
  body: NewStatement,
  maxBodyBytes: statementBodyMaxBytes,
  throttle: { ratePerSecond: 20, burst: 40 },
  response: StatementPage,
  status: 201,
  errors: { ...commonErrors, also: refusals },
  grants: {
    table: {
      BANKSTATEMENT: ['PutItem'],
      RATE: ['UpdateItem'],
      PAYMENT: ['BatchGetItem'],
      REFERENCE: ['BatchGetItem'],
      CLIENT: ['BatchGetItem'],
    },
    indexes: { listed: ['LIST'] },
  },
});
