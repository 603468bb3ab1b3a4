import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import {
  CustomerPath,
  customerPath,
  hidden,
  pageRoute,
  recordErrors,
  sessionTable,
} from './console-route.ts';

export const route = defineRoute({
  ...pageRoute,
  path: `${customerPath}/documents/{documentId}`,
  operationId: 'downloadConsoleDocument',
  summary: 'Returns an invoice or a credit note of a subscription as PDF.',
  description: 'For browsers, whose `Accept` begins with `text/html`. The bytes are those of the API.',
  params: z.extend(CustomerPath, {
    documentId: hidden('The id of an invoice or a credit note of the subscription.'),
  }),
  responseHeaders: ['vary', 'content-disposition', 'repr-digest', 'referrer-policy'],
  produces: 'application/pdf',
  errors: recordErrors,
  grants: {
    table: {
      ...sessionTable,
      INVOICE: ['GetItem'],
      SUBSCRIPTION: ['GetItem'],
      DOCUMENT: ['GetItem'],
    },
    files: ['invoice-fonts.bin', 'console.js'],
  },
});
