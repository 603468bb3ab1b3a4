import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { IdPath } from '../../shared/fields/path-id.ts';

const BillingLinkRequest = z.object({
  replace: z.optional(
    z.boolean().check(z.meta({ description: 'Whether earlier links stop working. Default: false.' })),
  ),
});

export const route = defineRoute({
  method: 'POST',
  path: '/api/v1/subscriptions/{id}/billing-link',
  alsoAt: '/subscriptions/{id}/billing-link',
  operationId: 'createBillingLink',
  summary: 'Returns the link to the billing page of a subscription, or replaces it.',
  description: [
    'Anyone with the link can see and change what is on the page. Show it to the subscriber only.',
    'The link stays the same until it is replaced, by this operation or on the page.',
    'A replaced link offers to mail the new one to the client.',
    'While the setting `billingPage.enabled` is false there is no page, and the request fails with 409.',
  ].join(' '),
  auth: 'apiKey',
  concurrentRateLimit: true,
  params: IdPath,
  body: BillingLinkRequest,
  bodyOptional: true,
  response: z.object({
    billingUrl: z.string().check(
      z.meta({
        description: 'The address of the billing page. The token in it is a secret of the subscriber.',
        examples: ['https://api.example.com/billing/sub_01M8YH9V6T3K5N7Q2R4S8W0XZA.1.kJ8xw0mWm0iWv0Zl7m3a1q'],
      }),
    ),
  }),
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    table: { SUBSCRIPTION: ['GetItem', 'UpdateItem'], APP: ['GetItem'] },
    uses: ['deploymentKey'],
  },
});
