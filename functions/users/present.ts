import type { output } from 'zod/mini';
import type { SocialAccount, User } from '../shared/accounts/users.ts';
import { defined } from '../shared/contract/defined.ts';
import { isoTime, optionalIsoTime } from '../shared/runtime/clock.ts';
import type { OneSocialAccount, OneUser } from './schemas.ts';

export function toUserResponse(user: User): output<typeof OneUser>['user'] {
  const { userId, email, name, status, verified = false, revision = 0, createdAtMs, updatedAtMs } = user;
  return {
    userId,
    email,
    ...defined({ name, status }),
    verified,
    revision,
    ...defined({ createdAt: optionalIsoTime(createdAtMs), updatedAt: optionalIsoTime(updatedAtMs) }),
  };
}

export function toSocialAccountResponse(
  account: SocialAccount,
): output<typeof OneSocialAccount>['socialAccount'] {
  const { accountId, createdAtMs, updatedAtMs, ...rest } = account;
  return { id: accountId, ...rest, createdAt: isoTime(createdAtMs), updatedAt: isoTime(updatedAtMs) };
}
