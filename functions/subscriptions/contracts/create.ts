import { defineRoute } from '../../shared/contract/route.ts';
import { apiKeyRoute, commonErrors, idempotencyErrors } from '../../shared/contract/route-parts.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import * as grants from '../grants.ts';
import { CreatedSubscription } from '../schemas.ts';
import { NewSubscription } from './new-subscription.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/subscriptions',
  alsoAt: '/subscriptions',
  ofContract: 'alsoAt',
  summary: 'Subscribes a client to a plan.',
  description: `\
The initial \`status\` depends on the plan and on the client:

- \`trialing\` if the plan has trial days and the client has not had a trial. No payment is due.
- \`pending\` otherwise. For payment by bank transfer, the invoice is mailed to the client. With a payment gateway,
  \`successUrl\` and \`cancelUrl\` are required; redirect the client to \`checkoutUrl\`. The subscription becomes active
  when the payment arrives, not when the client returns to \`successUrl\`.

A trial opens no checkout and needs neither URL. Send both all the same if you know them: the payment at the end of the trial
returns to them. Without them, it returns to its own page.

A client has at most one running subscription. If one is active or paused, the request fails with a \`conflict\` that
names it. It also fails while the application has the sandbox as its gateway and the deployment has none. A subscription on trial or past due keeps running until the new one is paid. A new pending subscription
supersedes an earlier one.

The response shows the subscription as \`GET /subscriptions/current\` does, but for \`planId\`: here it is the id of the plan.
With an \`Idempotency-Key\`, a repeated request within 24 hours returns the response to the first one.`,
  ...apiKeyRoute,
  headers: IdempotencyHeaders,
  body: NewSubscription,
  response: CreatedSubscription,
  status: 201,
  errors: {
    ...commonErrors,
    also: ['invalid_token', 'not_found', 'conflict', ...idempotencyErrors],
  },
  grants: { table: grants.creationTable, uses: ['timers', 'deploymentKey', 'sandboxGateway'] },
});
