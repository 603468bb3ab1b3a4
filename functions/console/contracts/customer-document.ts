import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { pageRoute, sessionTable } from './console-route.ts';
import { CustomerPath, customerPath } from './customer-path.ts';

export const route = defineRoute({
  ...pageRoute,
  path: `${customerPath}/documents/{documentId}`,
  operationId: 'downloadConsoleDocument',
  summary: 'Returns an invoice or a credit note of a subscription as PDF.',
  description: 'For browsers, whose `Accept` begins with `text/html`. The bytes are those of the API.',
  params: z.object({
    ...CustomerPath.shape,
    documentId: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(128),
        z.meta({ description: 'The id of an invoice or a credit note of the subscription.' }),
      ),
  }),
  responseHeaders: ['vary', 'content-disposition', 'repr-digest', 'referrer-policy'],
  produces: 'application/pdf',
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...sessionTable,
      INVOICE: ['GetItem'],
      SUBSCRIPTION: ['GetItem'],
      DOCUMENT: ['GetItem'],
    },
    files: ['invoice-fonts.bin'],
  },
});
