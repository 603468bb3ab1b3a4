import * as keys from '../../contract/keys.ts';
import { mailboxOf } from '../../fields/mailbox.ts';
import { dayMs } from '../../runtime/clock.ts';
import type { Write } from '../../table/table.ts';

/** How long and how many sources that verified a mailbox are remembered. */
export const verifiedSourceLimits = { lifetimeMs: 90 * dayMs, max: 20 } as const;

/**
 * The write after which nothing that verified the mailbox of an address until now gets codes apart from strangers. It is kept for
 * as long as a pass could be valid.
 */
export function sourcesRevocation(email: string, atMs: number): Write {
  return {
    Update: {
      Key: keys.mailboxVerifiedSources(mailboxOf(email)),
      UpdateExpression: 'SET revokedAtMs = :at, #ttl = :ttl',
      ExpressionAttributeValues: {
        ':at': atMs,
        ':ttl': keys.expirySeconds(atMs + verifiedSourceLimits.lifetimeMs),
      },
    },
  };
}
