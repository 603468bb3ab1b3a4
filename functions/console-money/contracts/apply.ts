import * as z from 'zod/mini';
import {
  ApplicationPath,
  actionRoute,
  field,
  hidden,
  reasonBody,
  sessionTable,
} from '../../console/contracts/console-route.ts';
import { movedPaymentTable } from '../../payments/grants.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import * as grants from '../../subscriptions/grants.ts';
import { applicationPath } from './paths.ts';

export const route = defineRoute({
  ...actionRoute,
  path: applicationPath,
  summary: 'Applies an unapplied payment to an invoice.',
  description:
    'For browsers: the form of the page. Does what `POST /api/v1/payments/{id}/apply` does, with a reason.',
  params: ApplicationPath,
  body: z.object({
    payment: hidden('The id of the payment.'),
    candidate: field('The id of an invoice that the page suggests.'),
    invoiceId: field('The id of another invoice, in place of the suggested one.'),
    ...reasonBody,
  }),
  errors: { ...actionRoute.errors, also: ['not_found', 'conflict', 'invalid_transition'] },
  grants: { ...grants.change, table: { ...movedPaymentTable, ...sessionTable, AUDIT: ['PutItem'] } },
});
