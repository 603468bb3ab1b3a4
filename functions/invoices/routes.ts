import * as z from 'zod/mini';
import { commonErrors, defineRoute, type Routes, refusals, sellerRoute } from '../shared/contract/route.ts';
import { IdPath } from '../shared/fields/path-id.ts';
import { AcceptHeaders } from '../shared/lambda/content-negotiation.ts';
import {
  externalIdField,
  indexes,
  nextCursor,
  onlyField,
  pageFields,
  pagesDescription,
  periodFields,
  planIdField,
  sellerListRoute,
  statusField,
} from '../shared/lists/requests.ts';
import { creditNoteReasons } from './credit-note.ts';
import { invoiceStatuses } from './invoice.ts';
import { ListedCreditNote, ListedInvoice } from './listing/list-schema.ts';
import { mailedDocument, OneCreditNote, OneInvoice } from './schemas.ts';

const documentResponses = [
  {
    status: 200,
    description: 'The document in the media type that `Accept` prefers.',
    mediaType: 'text/html',
    headers: ['vary', 'content-disposition', 'content-security-policy', 'x-frame-options', 'referrer-policy'],
  },
  {
    status: 200,
    description: 'Bytes are returned only if `application/pdf` is the first media type of `Accept`.',
    mediaType: 'application/pdf',
    headers: ['vary', 'content-disposition', 'repr-digest'],
  },
] as const;

export const readRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/invoices/{id}',
  alsoAt: '/invoices/{id}',
  summary: 'Retrieves an invoice as JSON, HTML or PDF, depending on `Accept`.',
  description:
    'The media type is `application/json` by default. `Accept` can select `text/html` or `application/pdf`. The PDF is the invoice as it was issued: the bytes that were mailed, if a mail had it.',
  ...sellerRoute,
  params: IdPath,
  headers: AcceptHeaders,
  response: z.object({ ...OneInvoice.shape, ...mailedDocument }),
  responseHeaders: ['vary'],
  otherResponses: documentResponses,
  errors: { ...commonErrors, also: refusals },
  grants: {
    table: { INVOICE: ['GetItem'], SUBSCRIPTION: ['GetItem', 'Query'], DOCUMENT: ['GetItem'] },
    files: ['invoice-fonts.bin'],
  },
});

export const creditNoteReadRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/credit-notes/{id}',
  alsoAt: '/credit-notes/{id}',
  summary: 'Retrieves a credit note as JSON, HTML or PDF, depending on `Accept`.',
  description:
    'The media type is `application/json` by default. `Accept` can select `text/html` or `application/pdf`.',
  ...sellerRoute,
  params: IdPath,
  headers: AcceptHeaders,
  response: z.object({ ...OneCreditNote.shape, ...mailedDocument }),
  responseHeaders: ['vary'],
  otherResponses: documentResponses,
  errors: { ...commonErrors, also: refusals },
  grants: {
    table: { INVOICE: ['GetItem'], SUBSCRIPTION: ['GetItem'], DOCUMENT: ['GetItem'] },
    files: ['invoice-fonts.bin'],
  },
});

const InvoiceListQuery = z.object({
  status: statusField(invoiceStatuses),
  overdue: onlyField('`true`: only open invoices whose due date has passed.'),
  externalId: externalIdField('Only the invoices of this client. Pages can be shorter: see the description.'),
  planId: planIdField,
  ...periodFields('the date of issue'),
  ...pageFields,
});

const InvoiceList = z.object({
  invoices: z.array(ListedInvoice),
  nextCursor,
});

export const listRoute = defineRoute({
  ...sellerListRoute,
  path: '/api/v1/invoices',
  alsoAt: '/invoices',
  summary: 'Lists the invoices of the application.',
  description: `\
Invoices are sorted by their date of issue, newest first.

${pagesDescription}`,
  query: InvoiceListQuery,
  response: InvoiceList,
  grants: { table: { APP: ['GetItem'], SUBSCRIPTION: ['BatchGetItem'] }, indexes },
});

const CreditNoteListQuery = z.object({
  reason: z.optional(
    z
      .enum(creditNoteReasons)
      .check(z.meta({ description: 'Only credit notes that were issued for this reason.' })),
  ),
  externalId: externalIdField(
    'Only the credit notes of this client. Pages can be shorter: see the description.',
  ),
  ...periodFields('the date of issue'),
  ...pageFields,
});

const CreditNoteList = z.object({
  creditNotes: z.array(ListedCreditNote),
  nextCursor,
});

export const creditNoteListRoute = defineRoute({
  ...sellerListRoute,
  path: '/api/v1/credit-notes',
  alsoAt: '/credit-notes',
  summary: 'Lists the credit notes of the application.',
  description: `\
Credit notes are sorted by their date of issue, newest first.

${pagesDescription}`,
  query: CreditNoteListQuery,
  response: CreditNoteList,
  grants: { table: { APP: ['GetItem'], SUBSCRIPTION: ['BatchGetItem'] }, indexes },
});

export const routes = {
  read: readRoute,
  'credit-note-read': creditNoteReadRoute,
  list: listRoute,
  'credit-note-list': creditNoteListRoute,
} satisfies Routes;
