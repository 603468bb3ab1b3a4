import * as z from 'zod/mini';
import { htmlType } from '../../shared/contract/headers.ts';
import { page, pageHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { billingTable } from '../grants.ts';
import { BillingPath } from './billing-path.ts';

const BillingQuery = z.object({
  before: z.optional(
    z
      .string()
      .check(
        z.regex(/^[1-9]\d{0,5}$/),
        z.meta({ description: 'Shows the invoices before this number within the subscription.' }),
      ),
  ),
  step: z.optional(z.enum(['cancel', 'replace'])),
  wrong: z.optional(z.enum(['name'])),
  done: z.optional(z.enum(['cancelled', 'undone', 'renamed', 'mailed', 'replaced'])),
});

export const route = defineRoute({
  method: 'GET',
  path: '/billing/{token}',
  operationId: 'showBillingPage',
  summary: 'Shows the billing page of a subscription.',
  description: [
    'For browsers.',
    'Mails about the subscription link to it.',
    'A link that was replaced gets a page that offers to mail the new one.',
  ].join(' '),
  auth: 'none',
  params: BillingPath,
  query: BillingQuery,
  response: z.string(),
  responseHeaders: pageHeaders,
  produces: htmlType,
  otherResponses: [
    page(
      409,
      'The subscription cannot be cancelled now, or the application does not offer the step. The page says which.',
    ),
  ],
  errorPages: true,
  errors: { invalid: 'not_found', failed: 'server_error', also: ['not_found'] },
  grants: { table: billingTable, uses: ['deploymentKey'] },
});
