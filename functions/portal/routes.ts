import * as z from 'zod/mini';
import { formRoute } from '../shared/contract/form-route.ts';
import { htmlType, page, pageHeaders } from '../shared/contract/headers.ts';
import {
  commonErrors,
  defineRoute,
  type Routes,
  sellerRoute,
  unlimitedErrors,
} from '../shared/contract/route.ts';
import { described } from '../shared/fields/described.ts';
import { IdPath } from '../shared/fields/path-id.ts';
import { AcceptHeaders } from '../shared/lambda/content-negotiation.ts';
import { billingChangeTable, billingTable } from './grants.ts';

const BillingPath = z.object({
  token: z
    .string()
    .check(z.minLength(1), z.maxLength(128), z.meta({ description: 'The token of the billing link.' })),
});

const BillingLinkRequest = z.object({
  replace: z.optional(
    z.boolean().check(z.meta({ description: 'Whether earlier links stop working. Default: false.' })),
  ),
});

export const linkRoute = defineRoute({
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

const LinkMailRequest = z.object({
  replace: z.optional(
    z
      .boolean()
      .check(described('Whether earlier links stop working, and a new one is mailed. Default: false.')),
  ),
  version: z.optional(
    z
      .int()
      .check(
        z.gte(0),
        described(
          'With `replace`: the version of the link that you saw. A repeated request replaces that one once; another version is a 409. Default: the present one.',
          0,
        ),
      ),
  ),
});

export const linkMailRoute = defineRoute({
  ...sellerRoute,
  method: 'POST',
  path: '/api/v1/subscriptions/{id}/billing-link/mail',
  words: { title: 'Mail the billing link', notice: 'The link is mailed to the client.' },
  operationId: 'mailBillingLink',
  summary: 'Mails the link to the billing page to the client.',
  description: [
    'The present link is mailed at most once in each clock hour of UTC. With `replace`, the earlier links stop working immediately.',
    'While the setting `billingPage.enabled` is false there is no page, and the request fails with 409.',
  ].join(' '),
  params: IdPath,
  body: LinkMailRequest,
  bodyOptional: true,
  response: z.object({
    mailed: z
      .boolean()
      .check(described('False when the link was already mailed in this clock hour: no other mail is sent.')),
    version: z.int().check(described('The version of the link that is mailed.')),
  }),
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: {
    table: {
      APP: ['GetItem'],
      CLIENT: ['BatchGetItem'],
      SUBSCRIPTION: ['GetItem', 'PutItem', 'UpdateItem'],
    },
  },
});

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

export const showRoute = defineRoute({
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

export const submitRoute = defineRoute({
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

export const invoiceRoute = defineRoute({
  method: 'GET',
  path: '/billing/{token}/invoices/{invoiceId}',
  operationId: 'downloadBillingInvoice',
  summary: 'Returns an invoice of the subscription as PDF.',
  description:
    'For browsers: the PDF, as it was mailed, is returned if `Accept` begins with `text/html` or `application/pdf`, and a page with the same content otherwise.',
  auth: 'none',
  params: z.object({
    ...BillingPath.shape,
    invoiceId: z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(128),
        z.meta({ description: 'The id of an invoice of the subscription.' }),
      ),
  }),
  headers: AcceptHeaders,
  response: z.string(),
  responseHeaders: ['vary', 'content-disposition', 'repr-digest', 'referrer-policy'],
  produces: 'application/pdf',
  otherResponses: [
    {
      status: 200,
      description: 'The invoice as a page, for callers to whom API Gateway cannot return bytes.',
      mediaType: 'text/html',
      headers: [
        'vary',
        'content-disposition',
        'content-security-policy',
        'x-frame-options',
        'referrer-policy',
      ],
    },
  ],
  errorPages: true,
  errors: { invalid: 'not_found', failed: 'server_error', also: ['not_found'] },
  grants: {
    table: {
      INVOICE: ['GetItem'],
      SUBSCRIPTION: ['GetItem', 'Query'],
      DOCUMENT: ['GetItem'],
      CLIENT: ['BatchGetItem'],
      APP: ['GetItem'],
    },
    uses: ['deploymentKey'],
    files: ['invoice-fonts.bin'],
  },
});

export const routes = {
  link: linkRoute,
  'link-mail': linkMailRoute,
  show: showRoute,
  submit: submitRoute,
  invoice: invoiceRoute,
} satisfies Routes;
