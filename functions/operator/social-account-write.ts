import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { routes } from './routes.ts';
import { shownSocialAccount } from './shown.ts';
import { userStore } from './store.ts';

const writeDeps = () => ({ users: userStore, nowMs });

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Creates or replaces a user's account of that name on a platform, where at most one is the primary. */
export async function writeSocialAccount(
  { params: { userId, platform }, body }: Input<(typeof routes)['social-account-write']>,
  { users, nowMs }: ReturnType<typeof writeDeps>,
): Promise<Output<(typeof routes)['social-account-write']>> {
  const atMs = nowMs();
  const accountId = newId('acc', atMs);
  return retryOnConflict(async () => {
    const found = await users.withAccounts(userId);
    if (found === undefined) throw new ApiError('not_found');
    const onPlatform = found.accounts.filter((one) => same(one.platform, platform));
    const known = onPlatform.find((one) => same(one.username, body.username));
    const account = {
      accountId: known?.accountId ?? accountId,
      platform,
      ...body,
      createdAtMs: known?.createdAtMs ?? atMs,
      updatedAtMs: atMs,
    };
    const demoted = onPlatform.filter((one) => one !== known && one.isPrimary && body.isPrimary);
    const written = await users.putAccount(found.user, account, demoted);
    return written ? { socialAccount: shownSocialAccount(account) } : undefined;
  });
}

export const handler = endpoint(
  routes['social-account-write'],
  writeSocialAccount,
  writeDeps,
  operatorCaller,
);
