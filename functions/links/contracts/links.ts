import * as z from 'zod/mini';
import { commonErrors, defineRoute, idempotencyErrors } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyKey } from '../../shared/fields/idempotency-key.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { WebAddress } from '../../shared/fields/web-address.ts';
import * as lists from '../../shared/lists/requests.ts';
import {
  batchOf,
  Description,
  LinkPath,
  LinkSubmission,
  limits,
  Platform,
  pageFields,
  Title,
  UserHeaders,
  UserQuery,
  userIdInBody,
} from '../api/requests.ts';
import { nextCursor, OneLink, Status, success, TrustLink } from '../api/responses.ts';

export const applicationRoute = {
  auth: 'links',
  concurrentRateLimit: true,
  headers: UserHeaders,
  query: UserQuery,
} as const;

export const userSelection = [
  'With the client secret, name the user in the `x-user-id` header, or as `userId` in the query or the body.',
  'If the user is named more than once, the values must be equal. With an access token, the user is the one',
  'who granted it.',
].join('\n');

export const credentialErrors = ['invalid_token', 'insufficient_scope'] as const;

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

export const submitRoute = defineRoute({
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

const ListQuery = z.object({
  status: z.optional(Status),
  ...pageFields,
  ...UserQuery.shape,
});

const LinkList = z.object({ trustLinks: z.array(TrustLink), nextCursor });

export const listRoute = defineRoute({
  method: 'GET',
  path: '/api/trust-links',
  ofContract: 'path',
  summary: 'Lists the links that the application submitted for a user, newest first.',
  description: [
    userSelection,
    '',
    'A page contains up to `limit` links, and no more than fit in 4 MB; each quote, backslash and control',
    'character counts with its escape sequences. While there are more, the response has a `nextCursor`.',
    'Links that are added or removed between two pages cause no other link to be repeated or skipped.',
  ].join('\n'),
  ...applicationRoute,
  query: ListQuery,
  response: LinkList,
  errors: { ...commonErrors, also: credentialErrors },
  grants: { table: { LINK: ['Query'] }, indexes: { byStatus: ['LINK'] } },
});

export const readRoute = defineRoute({
  method: 'GET',
  path: '/api/trust-links/{id}',
  ofContract: 'path',
  summary: 'Retrieves a link.',
  description: userSelection,
  ...applicationRoute,
  params: LinkPath,
  response: OneLink,
  errors: { ...commonErrors, also: [...credentialErrors, 'not_found'] },
  grants: { table: { LINK: ['GetItem'] } },
});

const LinkUpdate = z
  .object({
    title: z.optional(Title),
    url: z.optional(WebAddress),
    platform: z.optional(Platform),
    description: z.optional(
      Description.check(z.meta({ description: 'An empty text removes the description.' })),
    ),
    ...userIdInBody,
  })
  .check(
    z.refine(
      ({ userId: _, ...change }) => Object.values(change).some((value) => value !== undefined),
      'must have title, url, platform or description',
    ),
  );

const UpdatedLink = z.object({
  success,
  trustLink: z.object({ _id: z.string(), title: z.string(), verificationStatus: Status }),
});

export const updateRoute = defineRoute({
  method: 'PUT',
  path: '/api/trust-links/{id}',
  ofContract: 'path',
  summary: 'Updates a link and returns it to the review queue.',
  description: [
    userSelection,
    '',
    'Omitted fields keep their values. The link is pending again: a verified link is reviewed with',
    'priority, a rejected link like a new one (event `link.pending` for both), and a pending link keeps its',
    'position in the queue. A request that changes nothing has no effect.',
  ].join('\n'),
  ...applicationRoute,
  params: LinkPath,
  body: LinkUpdate,
  response: UpdatedLink,
  errors: { ...commonErrors, also: [...credentialErrors, 'user_not_verified', 'not_found', 'conflict'] },
  grants: {
    table: {
      LINK: ['GetItem', 'PutItem'],
      HISTORY: ['PutItem'],
      EVENT: ['PutItem'],
      USER: ['GetItem'],
    },
  },
});

const RemovedLink = z.object({ success, deleted: z.string() });

export const removeRoute = defineRoute({
  method: 'DELETE',
  path: '/api/trust-links/{id}',
  ofContract: 'path',
  summary: 'Removes a link permanently.',
  description: [userSelection, '', 'The event `link.removed` has the link as it was last.'].join('\n'),
  ...applicationRoute,
  params: LinkPath,
  response: RemovedLink,
  errors: { ...commonErrors, also: [...credentialErrors, 'not_found', 'conflict'] },
  grants: { table: { LINK: ['GetItem', 'DeleteItem'], HISTORY: ['PutItem'], EVENT: ['PutItem'] } },
});

const UserLinkListQuery = z.object({
  applicationId: z.string().check(
    z.regex(/^app_[0-9A-Z]{26}$/),
    z.meta({
      description: 'The application that submitted the links.',
      examples: ['app_01M8ABCDEFGHJKMNPQRSTVWXYZ'],
    }),
  ),
  status: z.optional(Status.check(described('Only links with this status.'))),
  ...lists.pageFields,
});

const UserLinkList = z.object({ trustLinks: z.array(TrustLink), nextCursor: lists.nextCursor });

export const userLinkListRoute = defineRoute({
  ...lists.operatorListRoute,
  path: '/api/operator/users/{userId}/links',
  summary: 'Lists the links that an application submitted for a user, newest first.',
  description: `\
Each application has links of its own for a user, so that the request names one. A user without links there has an empty list. A review
shows a link with its history. Links that are added or removed between two pages cause no other link to be repeated or skipped.`,
  operatorScope: 'review',
  params: z.object({ userId: UserId }),
  query: UserLinkListQuery,
  response: UserLinkList,
  grants: { table: { LINK: ['Query'] }, indexes: { byStatus: ['LINK'] } },
});
