import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { limits } from './requests.ts';
import { routes } from './routes.ts';
import { accountOn, distinctPlatforms, presentedAccount } from './social-account.ts';
import { accountStore } from './store.ts';
import { targetUser } from './target-user.ts';

const accountsDeps = () => ({ accounts: accountStore });

/** Says for each platform whether the user has an account there, and whether it is his. */
export async function accountStatuses(
  { headers, query, body, caller }: Input<typeof routes.accounts>,
  { accounts }: ReturnType<typeof accountsDeps>,
): Promise<Output<typeof routes.accounts>> {
  const { userId } = targetUser(caller, 'read', { headers, query, body });
  if (body.platforms.length > limits.platforms)
    throw new ApiError('limit_exceeded', { details: { platforms: `must be at most ${limits.platforms}` } });
  const all = await accounts.all(userId);
  const results = distinctPlatforms(body.platforms).map((platform) => {
    const account = accountOn(platform, all);
    return account ? presentedAccount(account) : { platform, status: 'not_found' as const };
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
}

export const handler = endpoint(routes.accounts, accountStatuses, accountsDeps, linksCaller);
