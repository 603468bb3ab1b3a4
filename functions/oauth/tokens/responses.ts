import * as z from 'zod/mini';
import type { Scope } from '../../shared/auth/grants/scopes.ts';
import type { TokenSet } from './token-family.ts';

/** RFC 6749 section 5.1. */
export const TokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z
    .int()
    .check(z.meta({ description: 'The remaining lifetime of the access token, in seconds.' })),
  refresh_token: z.string(),
  scope: z.string(),
});
export type TokenResponse = z.output<typeof TokenResponse>;

/** @param expiresAtMs of the access token. */
export function toTokenResponse(
  { access, refresh }: TokenSet,
  scopes: readonly Scope[],
  expiresAtMs: number,
  nowMs: number,
): TokenResponse {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAtMs - nowMs) / 1000),
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}
