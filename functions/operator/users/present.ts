/** Users and social accounts as operators see them, with times as text. */
import type { output } from 'zod/mini';
import type { SocialAccount, User } from '../../shared/accounts/users.ts';
import { defined } from '../../shared/contract/defined.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { OneSocialAccount, OneUser } from './schemas.ts';

export function toUserResponse(user: User): output<typeof OneUser>['user'] {
  const { userId, email, name, status, verified = false, createdAtMs, updatedAtMs } = user;
  const optionalTime = (atMs: number | undefined) => (atMs === undefined ? undefined : isoTime(atMs));
  return {
    userId,
    email,
    ...defined({ name, status }),
    verified,
    ...defined({ createdAt: optionalTime(createdAtMs), updatedAt: optionalTime(updatedAtMs) }),
  };
}

export function toSocialAccountResponse(
  account: SocialAccount,
): output<typeof OneSocialAccount>['socialAccount'] {
  const { accountId, createdAtMs, updatedAtMs, ...rest } = account;
  return { id: accountId, ...rest, createdAt: isoTime(createdAtMs), updatedAt: isoTime(updatedAtMs) };
}
