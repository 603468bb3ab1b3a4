import { readSocialAccount, type SocialAccount } from '../../shared/accounts/users.ts';
import * as keys from '../../shared/contract/keys.ts';
import { queryItems } from '../../shared/table/query.ts';

export const accountStore = {
  async list(userId: string): Promise<SocialAccount[]> {
    const { pk, sk } = keys.socialAccount(userId, '');
    return (await queryItems(pk, sk, Number.POSITIVE_INFINITY)).map(readSocialAccount);
  },
};
