import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals, sellerRoute } from '../../shared/contract/route-parts.ts';
import { base64Field } from '../../shared/fields/base64-field.ts';
import { described } from '../../shared/fields/described.ts';
import { statementFormats } from '../import/statement.ts';
import { Mapping, maxFileBytes } from '../request-schemas.ts';
import { StatementPage } from '../response-schemas.ts';

const statementBodyMaxBytes = Math.ceil(maxFileBytes / 3) * 4 + 16 * 1024;

const NewStatement = z.object({
  format: z.enum(statementFormats),
  file: base64Field(1, maxFileBytes).check(
    z.meta({
      description: 'The file as Base64: as the bank gave it, or packed with gzip.',
      examples: ['PD94bWwgdmVyc2lvbj0iMS4wIj8+'],
    }),
  ),
  mapping: z.optional(Mapping.check(described('How a CSV file is read. Required for `csv`.'))),
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/bank-statements',
  operationId: 'createBankStatement',
  summary: 'Creates a dry run of a bank statement: it shows which subscription each entry pays.',
  description: `\
No payment is recorded until the statement is confirmed. \`file\` is CAMT.053 of any version, or CSV with a
\`mapping\`, of at most 10,000 entries.

An entry is \`matched\` when the text or the \`EndToEndId\` of the payer contains the reference number of one subscription, with its check
character, its creditor reference (ISO 11649), or the number of an invoice in its series. It is \`suggested\` when a person has to decide: the payer wrote several
reference numbers, an open invoice has the amount of the entry and its client the name of the payer, or the entry is not one transfer: it
sums several up, or is less a charge. An entry that was
recorded before, from this file or another one, is a \`duplicate\`.

A file has at most 1,000,000 elements and attributes, or cells and lines. No tag, no text between two tags and no line has more
than 100,000 characters. Elements are nested at most 40 deep. An application has one file read at a time. Another request meanwhile
is \`rate_limited\`: send it again after the seconds of \`Retry-After\`. A reading takes at most 15 seconds. One that takes longer is
refused, and nothing of it is recorded.

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
