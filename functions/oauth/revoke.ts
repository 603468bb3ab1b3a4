import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { authenticateClient, clientDeps } from './client.ts';
import { routes } from './routes.ts';
import { tokenStore } from './store.ts';
import { countTokenRequest } from './token-limit.ts';

const revokeDeps = () => ({ ...clientDeps(), countTokenRequest, tokens: tokenStore, nowMs });

/** Ends a token of the application that asks. The token's own prefix says what it is: the hint is not needed. */
export async function revokeToken(
  { headers, body, remote }: Input<typeof routes.revoke>,
  deps: ReturnType<typeof revokeDeps>,
): Promise<Output<typeof routes.revoke>> {
  const { tokens, countTokenRequest } = deps;
  const atMs = deps.nowMs();
  const { client_id, client_secret, token } = body;
  const presented = { authorization: headers.authorization, client_id, client_secret };
  const [{ applicationId }] = await Promise.all([
    authenticateClient(presented, deps, atMs),
    countTokenRequest(remote, atMs),
  ]);
  if (token === undefined) throw new ApiError('oauth_invalid_request', { details: { token: 'is required' } });

  const [access, refresh] = await Promise.all([tokens.findAccess(token), tokens.findRefresh(token)]);
  if (access?.applicationId === applicationId) await tokens.revokeAccess(token);
  if (refresh?.applicationId === applicationId && refresh.familyId !== undefined) {
    await tokens.revoke(refresh.familyId, atMs);
  }
  return {};
}

export const handler = endpoint(routes.revoke, revokeToken, revokeDeps);
