import * as z from 'zod/mini';
import { commonErrors, defineRoute, type Routes, refusals, sellerRoute } from '../shared/contract/route.ts';
import { base64Field } from '../shared/fields/base64-field.ts';
import { described } from '../shared/fields/described.ts';
import { cursorField, limitField } from '../shared/fields/page.ts';
import {
  indexes,
  nextCursor,
  pageFields,
  pagesDescription,
  periodFields,
  sellerListRoute,
} from '../shared/lists/requests.ts';
import { matchKinds, maxDecisions, statementFormats } from './import/statement.ts';
import {
  decisionFields,
  defaultEntriesOfPage,
  Mapping,
  maxFileBytes,
  StatementPath,
} from './request-schemas.ts';
import { Statement, StatementPage } from './response-schemas.ts';

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

export const createRoute = defineRoute({
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

const StatementListQuery = z.object({ ...periodFields('the creation'), ...pageFields });

const StatementList = z.object({ statements: z.array(Statement), nextCursor });

export const listRoute = defineRoute({
  ...sellerListRoute,
  path: '/api/v1/bank-statements',
  operationId: 'listBankStatements',
  summary: 'Lists the bank statements of the application.',
  description: `\
Statements are sorted by their creation, newest first. One that has expired is not listed.

${pagesDescription}`,
  query: StatementListQuery,
  response: StatementList,
  grants: { table: { APP: ['GetItem'], BANKSTATEMENT: ['BatchGetItem'] }, indexes },
});

const maxEntriesOfPage = 100;

const StatementQuery = z.object({
  match: z.optional(z.enum(matchKinds).check(described('Only entries with this match.'))),
  limit: limitField(maxEntriesOfPage, `The maximum number of entries. Default: ${defaultEntriesOfPage}.`),
  cursor: cursorField,
});

export const readRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/bank-statements/{id}',
  operationId: 'getBankStatement',
  summary: 'Retrieves a bank statement, its progress and its entries.',
  description:
    'Entries are sorted by value date. With `match`, a page can have fewer entries than `limit`, or none, and still have a `nextCursor`.',
  ...sellerRoute,
  params: StatementPath,
  query: StatementQuery,
  response: StatementPage,
  errors: { ...commonErrors, also: refusals },
  grants: { table: { BANKSTATEMENT: ['GetItem', 'BatchGetItem'] } },
});

const entryId = z.string().check(
  z.refine((text) => /^[1-9]\d{0,4}$/.test(text), 'must be the entryId of an entry'),
  z.meta({ examples: ['12'] }),
);

const decision = z
  .object({
    entryId,
    ...decisionFields,
  })
  .check(
    z.refine(
      ({ entryId: _, ...made }) => Object.values(made).filter((one) => one !== undefined).length === 1,
      'must have one of subscriptionId, invoiceId, invoices, paymentId, asMatched, unapplied and skip',
    ),
  );

const Confirmation = z
  .object({
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
    decisionsVersion: z.optional(
      Statement.shape.decisionsVersion.check(
        described(
          'In place of `entries`: the `decisionsVersion` of the statement. It is confirmed with the decisions that people have saved in the console. Other decisions that were saved since are a `conflict`.',
        ),
      ),
    ),
  })
  .check(
    z.refine(
      ({ entries, decisionsVersion }) => entries.length === 0 || decisionsVersion === undefined,
      'must not have both entries and decisionsVersion',
    ),
  );

const OneStatement = z.object({ statement: Statement });

export const confirmRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/bank-statements/{id}/confirm',
  operationId: 'confirmBankStatement',
  summary: 'Confirms a bank statement: its entries are recorded as payments.',
  description: `\
The import runs in the background, and the statement shows its progress. A match is applied to its invoice or subscription, or
divided as its \`split\`. Use \`entries\` to decide about other entries, or about a wrong match, which
\`unapplied\` leaves unapplied. A credit that is neither matched nor decided is recorded as a payment that
is \`unapplied\`. Suggestions are not applied without a decision. A reversal takes back its payment, or the one that
you decide; without one it is left out. Duplicates are left out.

A repeated request with the same decisions returns the statement, and continues an import that has failed. A request with other
decisions is refused as \`conflict\`.`,
  ...sellerRoute,
  params: StatementPath,
  body: Confirmation,
  bodyOptional: true,
  response: OneStatement,
  status: 202,
  errors: { ...commonErrors, also: [...refusals, 'conflict'] },
  grants: {
    table: {
      BANKSTATEMENT: ['GetItem', 'BatchGetItem', 'UpdateItem'],
      SUBSCRIPTION: ['BatchGetItem'],
      INVOICE: ['BatchGetItem'],
      PAYMENT: ['BatchGetItem'],
    },
    uses: ['bankImport'],
  },
});

export const routes = {
  create: createRoute,
  list: listRoute,
  read: readRoute,
  confirm: confirmRoute,
} satisfies Routes;
