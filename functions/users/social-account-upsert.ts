import { actionWrite, formerValues } from '../shared/audit/write.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { socialAccountUpsertRoute } from './contracts/users.ts';
import { toSocialAccountResponse } from './present.ts';
import { userStore } from './store.ts';

const changeable = ['username', 'url', 'verified', 'verificationStatus', 'isPrimary'] as const;

const equalsIgnoringCase = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Creates or replaces a user's account on a platform. At most one account on a platform is primary. */
export const upsertSocialAccount: Handler<typeof socialAccountUpsertRoute> = async ({
  params: { userId, platform },
  body,
  caller,
}) => {
  const nowMs = clock.nowMs();
  const accountId = newId('acc', nowMs);
  return retryOnConflict(async () => {
    const current = found(await userStore.getWithAccounts(userId));
    const onPlatform = current.accounts.filter((one) => equalsIgnoringCase(one.platform, platform));
    const existing = onPlatform.find((one) => equalsIgnoringCase(one.username, body.username));
    const account = {
      accountId: existing?.accountId ?? accountId,
      platform,
      ...body,
      createdAtMs: existing?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
    };
    const demoted = onPlatform.filter((one) => one !== existing && one.isPrimary && body.isPrimary);
    const former = existing === undefined ? {} : formerValues(existing, account, changeable);
    const primaryUsernames = demoted.length > 0 ? demoted.map(({ username }) => username) : undefined;
    // It names the account too.
    const before = { platform, username: account.username, ...former, ...defined({ primaryUsernames }) };
    const action = { action: 'user.social_account_changed', id: userId, before } as const;
    const audit = former === undefined && demoted.length === 0 ? [] : [actionWrite(caller, action)];
    const written = await userStore.putAccount(current.user, account, demoted, audit);
    return written ? { socialAccount: toSocialAccountResponse(account) } : undefined;
  });
};

export const handler = endpoint(socialAccountUpsertRoute, upsertSocialAccount, operatorCaller);
