import type { SocialAccount } from '../../shared/accounts/users.ts';
import type { AccountResult } from '../api/responses.ts';

const caseFolded = (platform: string) => platform.toLowerCase();

/** The requested platforms without duplicates, regardless of case, in the order and spelling of the first occurrence. */
export function distinctPlatforms(requested: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const platform of requested) {
    if (!byName.has(caseFolded(platform))) byName.set(caseFolded(platform), platform);
  }
  return [...byName.values()];
}

/** The account that represents the user on a platform: the primary one, otherwise the newest. */
export function accountOn(platform: string, accounts: readonly SocialAccount[]): SocialAccount | undefined {
  return accounts
    .filter((account) => caseFolded(account.platform) === caseFolded(platform))
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary) || b.createdAtMs - a.createdAtMs)
    .at(0);
}

export function toAccountResponse(account: SocialAccount): AccountResult {
  const { accountId: id, platform, username, url, verified, verificationStatus, isPrimary } = account;
  return { id, platform, username, url, verified, verificationStatus, isPrimary };
}
