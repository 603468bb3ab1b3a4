import * as z from 'zod/mini';
import { formRoute } from '../../shared/contract/form-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { billingChangeTable } from '../grants.ts';
import { BillingPath } from './billing-path.ts';

const BillingAction = z.object({
  action: z.enum(['cancel', 'undo', 'rename', 'replace-link', 'mail']),
  periodEnd: z.optional(
    z.string().check(
      z.regex(/^\d{1,15}$/),
      z.meta({
        description:
          'For `cancel`: the end of the period that the page showed. With another one nothing is cancelled.',
      }),
    ),
  ),
  name: z.optional(z.string().check(z.maxLength(2_000), z.meta({ description: 'For `rename`.' }))),
});

export const route = defineRoute({
  ...formRoute,
  path: '/billing/{token}',
  operationId: 'submitBillingPage',
  summary: 'Receives the forms of the billing page.',
  description: [
    'For browsers.',
    'Cancels at the end of the period, undoes a cancellation, changes the name on future invoices, replaces the link, or mails the current one.',
    'The settings of the application decide which of these it accepts.',
  ].join(' '),
  params: BillingPath,
  body: BillingAction,
  otherResponses: [
    page(
      409,
      'The action is not possible any more, the application does not offer it, or the link was replaced. The page says which.',
    ),
  ],
  errors: { ...unlimitedErrors, also: ['not_found', 'conflict'] },
  grants: { table: billingChangeTable, uses: ['timers', 'deploymentKey'] },
});
