import { defineRoute } from '../../shared/contract/route.ts';
import { OneSocialAccount, SocialAccountPath, UpsertSocialAccountRequest } from '../users/schemas.ts';
import { errors } from './common.ts';

export const route = defineRoute({
  method: 'PUT',
  path: '/api/operator/users/{userId}/social-accounts/{platform}',
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
  errors: { ...errors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: { table: { USER: ['Query', 'PutItem', 'UpdateItem'] } },
});
