import * as z from 'zod/mini';
import { described, Time } from '../shared/fields/described.ts';
import { nextCursorField } from '../shared/fields/page.ts';
import { matchKinds, resultKinds, statementFormats, statementStatuses } from './import/statement.ts';
import { decisionFields } from './request-schemas.ts';

const Count = z.int().check(z.gte(0));
const Amount = z.number().check(described('Decimal, for example 9.99.'));

const counts = (names: readonly string[]) => z.object(Object.fromEntries(names.map((name) => [name, Count])));

export const Statement = z.object({
  _id: z.string(),
  format: z.enum(statementFormats),
  status: z
    .enum(statementStatuses)
    .check(
      described(
        '`ready`: nothing is recorded yet. `importing`: confirmed. `imported`: every entry has a result.',
      ),
    ),
  entries: Count.check(described('Credits and reversals. Only these are shown.')),
  withdrawals: Count.check(
    described(
      'Entries of the file that are left out because no money arrived: withdrawals, and amounts of zero.',
    ),
  ),
  notBooked: Count.check(
    described('Entries of the file that are left out because the bank has not booked them.'),
  ),
  rejected: z
    .array(
      z.object({
        entry: Count.check(described('The number of the entry in the file, starting at 1.')),
        problem: z.string(),
      }),
    )
    .check(
      described(
        'Entries of the file that are left out because their date does not exist, at most 100. Correct the file and send it again: an entry that was recorded is not recorded twice.',
      ),
    ),
  totals: z
    .array(z.object({ currency: z.string(), amount: Amount }))
    .check(described('The sum of the credits in each currency.')),
  matches: counts(matchKinds).check(described('The number of entries with each value of `match`.')),
  progress: z.object({
    done: Count.check(described('The number of entries that have a result.')),
    results: counts(resultKinds).check(described('The number of entries with each value of `result`.')),
  }),
  decisionsVersion: Count.check(described('How often the decisions about its entries have changed.')),
  createdAt: Time,
  confirmedAt: z.optional(Time),
  importedAt: z.optional(Time),
  expiresAt: Time.check(described('When the statement is deleted. Its payments are kept.')),
});

export const Candidate = z.object({
  subscriptionId: z.string(),
  externalId: z.string(),
  invoiceId: z.optional(
    z.string().check(described('The invoice that the entry names, or whose amount it has.')),
  ),
  invoiceNumber: z.optional(z.string()),
  referenceNumber: z.optional(z.string()),
  clientName: z.optional(z.string()),
  amountDue: Amount.check(
    described(
      'What is due of the invoice, or of all open invoices without one: a decimal amount in the currency of the entry.',
    ),
  ),
});

export const ReversedPayment = z.object({
  paymentId: z.string(),
  amount: Amount,
  valueDate: z.iso.date(),
  externalId: z.optional(z.string()),
  payerName: z.optional(z.string()),
});

export const Entry = z.object({
  entryId: z.string().check(described('The number of the entry in the statement, by value date.')),
  match: z
    .enum(matchKinds)
    .check(
      described(
        '`matched`: a reference number names one subscription. `suggested`: decide between `candidates`. `unknown`: neither. `duplicate`: the entry was recorded before. `reversal`: the bank took an earlier credit back, or gave a withdrawal back.',
      ),
    ),
  amount: Amount,
  currency: z.string(),
  valueDate: z.iso.date(),
  text: z.string().check(described('What the payer wrote, up to 500 characters of it.')),
  payerName: z.optional(z.string()),
  payerIban: z.optional(z.string()),
  bankId: z.optional(z.string()),
  candidates: z
    .array(Candidate)
    .check(described('The subscription of a match, or up to five to decide between.')),
  split: z.optional(
    z
      .array(z.object({ invoiceId: z.string(), amount: Amount }))
      .check(
        described(
          'The invoices that the payer names, when the amounts due of them add up to the amount of the entry: at most 20.',
        ),
      ),
  ),
  reversedPayments: z.optional(
    z
      .array(ReversedPayment)
      .check(described('Of a reversal: the payment that it takes back, or up to five to decide between.')),
  ),
  paymentId: z
    .optional(z.string())
    .check(
      described(
        'The id of the payment that records the entry, or will record it after the confirmation. Of a reversal: the payment that it takes back, if that is certain.',
      ),
    ),
  message: z.optional(
    z.string().check(described('Of a reversal without a certain payment: what to do next.')),
  ),
  decision: z.optional(
    z
      .object({
        ...decisionFields,
        by: z.optional(
          z
            .object({
              kind: z.literal('operator'),
              id: z.optional(z.string().check(described('The id of the operator key. For operators.'))),
              name: z.optional(
                z.string().check(described('The person who uses the operator key. For operators.')),
              ),
            })
            .check(described('Who kept the decision in the console.')),
        ),
      })
      .check(
        described(
          'The decision about the entry. Until the confirmation: the one that is kept in the console, which counts in place of the match when the console confirms. A confirmation with the API has decisions of its own. After it: the one that it was confirmed with.',
        ),
      ),
  ),
  result: z.optional(
    z
      .enum(resultKinds)
      .check(
        described(
          'The `status` that the payment had when it was recorded. `failed`: see `error`. `duplicate`: recorded before. `reversed`: its payment was taken back. `reversal`: nothing was recorded.',
        ),
      ),
  ),
  error: z.optional(z.string()),
});

export const StatementPage = z.object({
  statement: Statement,
  entries: z.array(Entry),
  nextCursor: nextCursorField('Present when there may be further entries.'),
});
