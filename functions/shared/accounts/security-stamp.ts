import type { User } from './users.ts';

/** Whether what a user has set up, such as a device or a token, was made under their present security stamp. */
export function hasCurrentStamp(
  user: Pick<User, 'securityStamp'> | undefined,
  { securityStamp }: { readonly securityStamp?: string | undefined },
): boolean {
  return user?.securityStamp === securityStamp;
}
