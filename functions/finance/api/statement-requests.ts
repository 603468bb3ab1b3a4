import * as z from 'zod/mini';
import { base64Field } from '../../shared/fields/base64-field.ts';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { lineField } from '../../shared/fields/text.ts';
import { isCurrency } from '../../subscriptions/plans/money.ts';
import { dateFormats } from '../statements/dates.ts';
import { matchKinds, statementFormats } from '../statements/statement.ts';

/** Lambda takes 6 MB. As gzip, this is some 30 MB of XML. */
const maxFileBytes = 3 * 1024 * 1024;
/** The file as Base64, and the mapping. */
export const statementBodyMaxBytes = Math.ceil(maxFileBytes / 3) * 4 + 16 * 1024;

const maxColumnName = 100;
const maxReferenceColumns = 5;
const maxAccount = 50;
const maxDecisions = 1_000;
const maxEntriesOfPage = 100;
export const defaultEntriesOfPage = 50;

const described = (description: string) => z.meta({ description });

const column = lineField(maxColumnName);

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
    })
    .check(described('The names of columns, as the header of the file has them.')),
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

export const NewStatement = z.object({
  format: z.enum(statementFormats),
  file: base64Field(1, maxFileBytes).check(
    z.meta({
      description: 'The file as Base64: as the bank gave it, or packed with gzip.',
      examples: ['PD94bWwgdmVyc2lvbj0iMS4wIj8+'],
    }),
  ),
  mapping: z.optional(mapping.check(described('How a CSV file is read. Required for `csv`.'))),
});

export const StatementPath = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(128), described('The `_id` of the statement.')),
});

const entryId = z.string().check(
  z.refine((text) => /^[1-9]\d{0,4}$/.test(text), 'must be the entryId of an entry'),
  z.meta({ examples: ['12'] }),
);
const recordId = z.string().check(z.minLength(1), z.maxLength(128));

const decision = z
  .object({
    entryId,
    subscriptionId: z.optional(
      recordId.check(described('The subscription whose open invoices the entry pays, the oldest first.')),
    ),
    invoiceId: z.optional(recordId.check(described('The invoice that the entry pays first.'))),
    skip: z.optional(
      z
        .literal(true)
        .check(
          described('`true`: the entry is not recorded as a payment, because it is not for this service.'),
        ),
    ),
  })
  .check(
    z.refine(
      ({ subscriptionId, invoiceId, skip }) =>
        [subscriptionId, invoiceId, skip].filter((one) => one !== undefined).length === 1,
      'must have one of subscriptionId, invoiceId and skip',
    ),
  );

export const Confirmation = z.object({
  entries: z._default(
    z.array(decision).check(
      z.maxLength(maxDecisions),
      z.refine(
        (list) => new Set(list.map((one) => one.entryId)).size === list.length,
        'must name each entry once',
      ),
      described('Your decisions about entries. A match without a decision is applied.'),
    ),
    [],
  ),
});

export const StatementQuery = z.object({
  match: z.optional(z.enum(matchKinds).check(described('Only entries with this match.'))),
  limit: limitField(maxEntriesOfPage, `The maximum number of entries. Default: ${defaultEntriesOfPage}.`),
  cursor: cursorField,
});
