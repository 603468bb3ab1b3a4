import { keys } from '../contract/keys.ts';
import { getItem } from '../table/table.ts';

/** Who a user is to all services. One that only ever verified a device has an e-mail and no more. */
export interface User {
  userId: string;
  /** In its canonical form. */
  email: string;
  name?: string;
  status?: 'active' | 'suspended';
  verified?: boolean;
  /** Of what an operator set, epoch milliseconds. */
  createdAtMs?: number;
  updatedAtMs?: number;
  /** Counts the writes of operators, those of social accounts included; a write is bound to the one it read. */
  revision?: number;
}

/** One account of a user on a platform, beside his profile. Times in epoch milliseconds. */
export interface SocialAccount {
  accountId: string;
  /** As it was given. */
  platform: string;
  username: string;
  url: string;
  verified: boolean;
  verificationStatus: 'pending' | 'verified' | 'rejected' | 'unverified';
  /** Of those on one platform at most one. */
  isPrimary: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

export async function getUser(userId: string): Promise<User | undefined> {
  return (await getItem(keys.user(userId))) as User | undefined;
}

/** Whether links may be submitted for the user: an unknown one counts as one without a profile. */
export function hasVerifiedProfile(user: User | undefined): boolean {
  return user?.status === 'active' && user.verified === true;
}
