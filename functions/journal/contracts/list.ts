import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { csvResponse, indexes, listRoute, nextCursor } from '../../shared/lists/list-route.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { RecordResponse } from '../schemas.ts';

const JournalQuery = z.object({
  format: z.optional(
    z.enum(['hledger', 'datev']).check(
      z.meta({
        description:
          '`hledger`: transactions of hledger. `datev`: a batch of postings for DATEV. Absent: JSON, or CSV if `Accept` prefers `text/csv`.',
      }),
    ),
  ),
  ...periodFields('the time of booking'),
  ...pageFields,
});

const Journal = z.object({ records: z.array(RecordResponse), nextCursor });

export const route = defineRoute({
  ...listRoute,
  path: '/api/v1/journal',
  operationId: 'listJournalRecords',
  summary: 'Lists the entries of the ledger, for accounting.',
  description: `\
The journal has every movement of money, in the order of booking, newest first. A record has the entries of one change. It is written
in the transaction of the change, and never changes. The postings of an entry add up to 0.

Every change is booked at the time of its write. A period that has ended gets no further entry: a payment of an earlier value date is
booked in the present period, with its \`valueDate\`, and \`lateFor\` names the month that had ended.

CSV has a row for each posting. \`format=hledger\` has all directives that \`hledger check --strict\` needs; the pages of a period make
one journal. \`format=datev\` needs the setting \`datev\`, and \`from\` and \`to\` as days of one fiscal year. Each page is a batch of its own,
with the entries in euros: the name of the batch counts the others, which it leaves out. An entry of several postings becomes several
rows, each with a contra account. The file is in Windows-1252 if \`Accept\` begins with \`text/csv\`, and otherwise in UTF-8 with a byte
order mark.

Without \`limit\`, a page of CSV, for hledger or for DATEV has up to 4,000 records.`,
  query: JournalQuery,
  response: Journal,
  otherResponses: [
    Object.assign({}, csvResponse, { headers: [...csvResponse.headers, 'content-disposition'] as const }),
    {
      status: 200,
      description: 'The same page for hledger, with `format=hledger`. `Link` leads to the next page.',
      mediaType: 'text/plain',
      headers: ['vary', 'link'],
    },
  ],
  grants: { table: { APP: ['GetItem'] }, indexes },
});
