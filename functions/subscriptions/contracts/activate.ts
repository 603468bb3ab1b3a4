import { defineRoute } from '../../shared/contract/route.ts';
import * as grants from '../api/grants.ts';
import { IdempotencyHeaders, Payment } from '../api/requests.ts';
import { changeRoute } from './change-route.ts';
import { commonErrors, idempotencyErrors } from './common.ts';

export const route = defineRoute({
  path: '/api/v1/subscriptions/{id}/activate',
  alsoAt: '/subscriptions/{id}/activate',
  summary: 'Records a payment that was made outside a gateway.',
  description: `\
Call it once the money has arrived, for example by bank transfer. With \`paymentId\` or an \`Idempotency-Key\`, a payment is
recorded once, whatever the amount.

The payment pays the invoice in \`invoiceId\`, then the oldest open invoices. A partial payment is kept for its invoice; what is left
becomes credit of the client, which the next invoice uses. During a trial, the paid term begins when the trial ends.

Without \`paymentId\` and \`amount\`, it pays all that is open. A repeat within 24 hours that finds only newer invoices pays
none of them and answers as the first request did. Without an open invoice it changes nothing. An expired subscription has
none: the request is refused with 409, and \`details.help\` names \`POST /payments\`, which records a late payment.`,
  ...changeRoute,
  headers: IdempotencyHeaders,
  body: Payment,
  errors: {
    ...commonErrors,
    also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition', ...idempotencyErrors],
  },
  grants: { ...grants.change, table: grants.activationTable },
});
