import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { limits } from './api/requests.ts';
import { targetUser } from './api/target-user.ts';
import { socialAccountStatusRoute } from './contracts/statuses.ts';
import { accountOn, distinctPlatforms, toAccountResponse } from './social-accounts/social-account.ts';
import { accountStore } from './social-accounts/store.ts';

/** Returns, for each platform, the user's account and whether it is verified. */
export const socialAccountStatuses: Handler<typeof socialAccountStatusRoute> = async ({
  headers,
  query,
  body,
  caller,
}) => {
  const { userId } = targetUser(caller, 'read', { headers, query, body });
  if (body.platforms.length > limits.platforms)
    throw new ApiError('limit_exceeded', { details: { platforms: `must be at most ${limits.platforms}` } });
  const userAccounts = await accountStore.list(userId);
  const results = distinctPlatforms(body.platforms).map((platform) => {
    const account = accountOn(platform, userAccounts);
    return account ? toAccountResponse(account) : { platform, status: 'not_found' as const };
  });
  const statuses = results.map((result) => ('status' in result ? 'unverified' : result.verificationStatus));
  const count = (status: string) => statuses.filter((one) => one === status).length;
  return {
    success: true,
    results,
    summary: {
      total: results.length,
      verified: count('verified'),
      pending: count('pending'),
      rejected: count('rejected'),
      unverified: count('unverified'),
    },
  };
};

export const handler = endpoint(socialAccountStatusRoute, socialAccountStatuses, linksCaller);
