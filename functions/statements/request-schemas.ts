import * as z from 'zod/mini';
import { described } from '../shared/fields/described.ts';
import { lineField } from '../shared/fields/text.ts';
import { isCurrency } from '../shared/money/money.ts';
import { amountKinds } from './import/file/amount.ts';
import { dateFormats } from './import/file/dates.ts';

export const defaultEntriesOfPage = 50;

export const StatementPath = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(128), described('The `_id` of the statement.')),
});

const maxParts = 20;

const recordId = z.string().check(z.minLength(1), z.maxLength(128));

/** A decision about an entry has one of these. */
export const decisionFields = {
  subscriptionId: z.optional(
    recordId.check(described('The subscription whose open invoices the entry pays, the oldest first.')),
  ),
  invoiceId: z.optional(recordId.check(described('The invoice that the entry pays first.'))),
  invoices: z.optional(
    z
      .array(z.object({ invoiceId: recordId, amount: z.number().check(z.gt(0)) }))
      .check(
        z.minLength(2),
        z.maxLength(maxParts),
        described(
          'The invoices between which the entry is divided, of one client or of several. The amounts add up to that of the entry.',
        ),
      ),
  ),
  paymentId: z.optional(
    recordId.check(described('The payment that the entry takes back. Only of a `reversal`.')),
  ),
  asMatched: z.optional(
    z
      .literal(true)
      .check(described('`true`: the entry is recorded as its `match` says, as without a decision.')),
  ),
  unapplied: z.optional(
    z
      .literal(true)
      .check(
        described('`true`: the entry is recorded as a payment that is `unapplied`, whatever it matches.'),
      ),
  ),
  skip: z.optional(
    z
      .literal(true)
      .check(
        described('`true`: the entry is not recorded as a payment, because it is not for this service.'),
      ),
  ),
};

/** Lambda takes 6 MB. As gzip, this is some 30 MB of XML. */
export const maxFileBytes = 3 * 1024 * 1024;

const maxColumnName = 100;

const maxReferenceColumns = 5;

const maxAccount = 50;

const column = lineField(maxColumnName);

const maxValues = 10;

/** Banks leave a cell empty, such as the status of a booked entry. */
const values = z.array(lineField(maxColumnName, 0)).check(z.minLength(1), z.maxLength(maxValues));

export const Mapping = z.object({
  columns: z
    .object({
      date: column.check(described('The value date.')),
      amount: column.check(
        described(
          'The amount, with a sign or of credits only: see `amounts`. An entry with a negative or empty amount, or with zero, is counted as a withdrawal.',
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
            'The column of debit and credit. Required where amounts have no sign and are not of credits only.',
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
        'The values of `direction` that are credits, in any case. Each other value is then a withdrawal. Without it: `C`, `CR`, `CRDT`, `Credit`, `Kredit`, `K`, `Bij`, `IN`, `H`, `Haben`. A file with a value that is neither stated nor known is refused.',
      ),
    ),
  ),
  bookedValues: z.optional(
    values.check(
      described(
        'The values of `status` that are booked, in any case, also the empty one. Each other value is then not booked. Without it: `BOOK`, `Booked`, `Completed`, `Posted`, `Gebucht`, `Umsatz gebucht`. A file with a value that is neither stated nor known is refused.',
      ),
    ),
  ),
  amounts: z
    ._default(z.enum(amountKinds), 'signed')
    .check(
      described(
        '`credits`: each amount without a minus is a credit, as in a column of credits. `signed`: withdrawals have a minus, and the file must show it, unless `direction` is mapped: see the guide.',
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
