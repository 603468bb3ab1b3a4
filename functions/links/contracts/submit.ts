import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, idempotencyErrors } from '../../shared/contract/route-parts.ts';
import { IdempotencyKey } from '../../shared/fields/idempotency-key.ts';
import { batchOf, LinkSubmission, limits, UserHeaders, userIdInBody } from '../api/requests.ts';
import { success, TrustLink } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { credentialErrors, userSelection } from './common.ts';

/** 50 links of maximum length with every character written as an escape sequence. */
const submissionMaxBytes = 1_100_000;

const placeholderLink = { title: 'any', url: 'https://example.com/', platform: 'any' };

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const SubmissionHeaders = z.object({
  ...UserHeaders.shape,
  'idempotency-key': z.optional(IdempotencyKey),
});

const Submission = z.object({
  links: batchOf(LinkSubmission, limits.batch, isObject, placeholderLink),
  limit: z.optional(
    z.int().check(
      z.gte(1),
      z.meta({
        description: `Rejects a request with more links than this. At most ${limits.batch}.`,
      }),
    ),
  ),
  ...userIdInBody,
});

const SubmittedLinks = z.object({ success, trustLinks: z.array(TrustLink) });

export const route = defineRoute({
  method: 'POST',
  path: '/api/trust-links',
  ofContract: 'path',
  operationId: 'submitLinks',
  summary: 'Submits links for review, all or none.',
  description: [
    userSelection,
    '',
    'If one link is invalid, all links are rejected; `details` names each invalid field, for example',
    '`links[3].url`. The response lists the links in the order of the request. They count as submitted in',
    'that order: the last is the newest.',
    '',
    'The response says that the links are pending: no event does. Events tell what becomes of them (`link.verified`,',
    '`link.rejected`, `link.pending`, `link.removed`).',
    '',
    'Submitting a URL again creates another link. To make a retry safe, send an `Idempotency-Key`: within',
    '24 hours, a repeated request returns the response to the first one. Only successful requests are',
    'stored under a key, so that a rejected request can be corrected and sent with the same key.',
  ].join('\n'),
  ...applicationRoute,
  headers: SubmissionHeaders,
  body: Submission,
  maxBodyBytes: submissionMaxBytes,
  response: SubmittedLinks,
  errors: {
    ...commonErrors,
    also: [...credentialErrors, 'limit_exceeded', 'user_not_verified', ...idempotencyErrors],
  },
  grants: {
    table: { LINK: ['PutItem'], IDEMPOTENCY: ['GetItem', 'PutItem'], USER: ['GetItem'] },
  },
});
