import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { WebAddress } from '../../shared/fields/web-address.ts';
import { Description, LinkPath, Platform, Title, userIdInBody } from '../api/requests.ts';
import { Status, success } from '../api/responses.ts';
import { applicationRoute } from './application-route.ts';
import { credentialErrors, userSelection } from './common.ts';

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

export const route = defineRoute({
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
