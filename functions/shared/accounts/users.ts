import * as keys from '../contract/keys.ts';
import { getRecord, recordReader } from '../table/record.ts';

/** Shared by all services. A user who has only verified a device has an e-mail address and nothing else. */
export interface User {
  userId: string;
  /** In canonical form. */
  email: string;
  name?: string;
  status?: 'active' | 'suspended';
  verified?: boolean;
  /** When an operator created and last changed the profile, epoch milliseconds. */
  createdAtMs?: number;
  updatedAtMs?: number;
  /**
   * Incremented by every write of an operator, including those of social accounts; a write is conditioned on
   * the revision that it read.
   */
  revision?: number;
  /**
   * A random text that is replaced when the e-mail address changes or an operator resets the access of the user. Devices,
   * proofs, sessions and tokens keep the stamp under which they were made, and are valid only under the present one.
   * Absent until the first replacement.
   */
  securityStamp?: string;
}

/** One account of a user on a platform. Times in epoch milliseconds. */
export interface SocialAccount {
  accountId: string;
  /** As entered. */
  platform: string;
  username: string;
  url: string;
  verified: boolean;
  verificationStatus: 'pending' | 'verified' | 'rejected' | 'unverified';
  /** At most one account per platform is primary. */
  isPrimary: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

export const readUser = recordReader<User>([]);
const readAddress = recordReader<Pick<User, 'userId'>>(['userId']);
export const readSocialAccount = recordReader<SocialAccount>(['accountId', 'platform']);

export const getUser = (userId: string): Promise<User | undefined> => getRecord(keys.user(userId), readUser);

/** Undefined for an address that only a device verified. */
export async function findAddressOwner(email: string): Promise<string | undefined> {
  return (await getRecord(keys.address(email), readAddress))?.userId;
}

/** Whether links may be submitted for the user. An unknown user has no verified profile. */
export function hasVerifiedProfile(user: User | undefined): boolean {
  return user?.status === 'active' && user.verified === true;
}
