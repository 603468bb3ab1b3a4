import type { SocialAccount } from '../shared/accounts/users.ts';
import type { AccountResult } from './answers.ts';

const folded = (platform: string) => platform.toLowerCase();

/** The platforms that were asked for, each once whatever its case, in the order and spelling they first came in. */
export function distinctPlatforms(asked: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const platform of asked) if (!byName.has(folded(platform))) byName.set(folded(platform), platform);
  return [...byName.values()];
}

/** The account that stands for a platform: the primary one, else the newest. */
export function accountOn(platform: string, accounts: readonly SocialAccount[]): SocialAccount | undefined {
  return accounts
    .filter((account) => folded(account.platform) === folded(platform))
    .sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary) || b.createdAtMs - a.createdAtMs)
    .at(0);
}

export function presentedAccount(account: SocialAccount): AccountResult {
  const { accountId: id, platform, username, url, verified, verificationStatus, isPrimary } = account;
  return { id, platform, username, url, verified, verificationStatus, isPrimary };
}
