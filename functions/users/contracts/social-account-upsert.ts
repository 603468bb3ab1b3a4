import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { lineField, notBlank } from '../../shared/fields/text.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { OneSocialAccount, UpsertSocialAccountRequest } from '../schemas.ts';

/** The platform is part of a key that `#` separates: with a `#` in it, two accounts could share a key. */
const platform = lineField(50).check(
  notBlank,
  z.refine((text) => !text.includes('#'), 'must hold no #'),
  z.meta({ description: 'Compared regardless of case.', examples: ['YouTube'] }),
);

const SocialAccountPath = z.object({ userId: UserId, platform });

export const route = defineRoute({
  method: 'PUT',
  path: '/api/operator/users/{userId}/social-accounts/{platform}',
  words: { title: 'Set a social account', notice: 'The social account is saved.' },
  summary: "Creates or replaces a user's account on a platform.",
  description: [
    'Platform and username identify an account. When an account becomes the primary one of its platform,',
    'the former primary account becomes secondary.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'support',
  params: SocialAccountPath,
  body: UpsertSocialAccountRequest,
  response: OneSocialAccount,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: { table: { USER: ['Query', 'PutItem', 'UpdateItem'] } },
});
