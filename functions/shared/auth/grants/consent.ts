/** A user's consent as events show it to the application that has it. */
import * as z from 'zod/mini';
import { defined } from '../../contract/defined.ts';
import { described, Time } from '../../fields/described.ts';
import { isoTime } from '../../runtime/clock.ts';
import type { Grant } from './grant.ts';

const Withdrawer = z.enum(['user', 'application', 'operator', 'reuse_detection']);
export type Withdrawer = z.output<typeof Withdrawer>;

/** The consent of a user, without the state of its tokens. */
export const Consent = z.object({
  id: z.string().check(described('A user who consents again makes another consent, with an id of its own.')),
  userId: z.string(),
  scopes: z.array(z.string()),
  grantedAt: Time.check(described('When the code was exchanged.')),
  withdrawnAt: z.optional(Time),
  by: z.optional(
    Withdrawer.check(
      described(
        [
          'Who withdrew it: the user on the account page, the application with the revocation endpoint, an operator, or the',
          'detection of a code or refresh token that was used twice.',
        ].join('\n'),
      ),
    ),
  ),
});

/** As its application learns of it. */
export function toConsent(
  { familyId, userId, scopes, createdAtMs }: Grant,
  withdrawal?: { by: Withdrawer; atMs: number },
): z.output<typeof Consent> {
  return {
    id: familyId,
    userId,
    scopes: [...scopes],
    grantedAt: isoTime(createdAtMs),
    ...defined({ withdrawnAt: withdrawal && isoTime(withdrawal.atMs), by: withdrawal?.by }),
  };
}
