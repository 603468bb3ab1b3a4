import { keys } from './keys.ts';
import { getItem } from './table.ts';

/** Who a user is to all services. One that only ever verified a device has an e-mail and no more. */
export interface User {
  userId: string;
  /** In its canonical form. */
  email: string;
  name?: string;
  status?: 'active' | 'suspended';
  verified?: boolean;
}

export async function getUser(userId: string): Promise<User | undefined> {
  return (await getItem(keys.user(userId))) as User | undefined;
}

/** Whether links may be submitted for the user: an unknown one counts as one without a profile. */
export function hasVerifiedProfile(user: User | undefined): boolean {
  return user?.status === 'active' && user.verified === true;
}
