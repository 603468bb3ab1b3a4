import type { Application } from '../shared/accounts/applications.ts';
import { getUser } from '../shared/accounts/users.ts';
import { isUnexpired } from '../shared/auth/secrets.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { formatSecret, secretHash } from '../shared/contract/secret.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { authenticateClient, clientDeps } from './client.ts';
import { answersChallenge } from './pkce.ts';
import { routes } from './routes.ts';
import type { Scope } from './scopes.ts';
import { codeStore, tokenStore } from './store.ts';
import { countTokenRequest } from './token-limit.ts';
import {
  type CodeRecord,
  lifetimes,
  narrowed,
  nextTokens,
  refreshTokenState,
  type TokenSet,
} from './token-set.ts';

const tokenDeps = () => ({
  ...clientDeps(),
  countTokenRequest,
  codes: codeStore,
  tokens: tokenStore,
  getUser,
  nowMs,
  randomToken,
});
type Deps = ReturnType<typeof tokenDeps>;
type Body = Input<typeof routes.token>['body'];
type Answer = Output<typeof routes.token>;

/** Gives tokens: RFC 6749 sections 4.1.3 and 6. */
export async function giveTokens(
  { headers, body, remote }: Input<typeof routes.token>,
  deps: Deps,
): Promise<Answer> {
  const atMs = deps.nowMs();
  const presented = {
    authorization: headers.authorization,
    client_id: body.client_id,
    client_secret: body.client_secret,
  };
  const [application] = await Promise.all([
    authenticateClient(presented, deps, atMs),
    deps.countTokenRequest(remote, atMs),
  ]);
  switch (body.grant_type) {
    case 'authorization_code':
      return redeemCode(body, application, deps, atMs);
    case 'refresh_token':
      return refresh(body, application, deps, atMs);
    case undefined:
      throw missing('grant_type');
    default:
      throw new ApiError('oauth_unsupported_grant_type');
  }
}

/**
 * A code that was used before ends what it gave, whatever else the request holds: either it has leaked, or the
 * answer went to somebody else (RFC 6749 section 4.1.2, RFC 9700 section 4.5). So of requests that race for a code
 * one is answered with tokens, and those do not last.
 */
async function redeemCode(body: Body, application: Application, deps: Deps, atMs: number): Promise<Answer> {
  const { codes, getUser, randomToken } = deps;
  if (body.code === undefined) throw missing('code');
  const record = await codes.find(body.code);
  if (record?.applicationId !== application.applicationId) throw new ApiError('oauth_invalid_grant');
  await refuseUsed(record, deps, atMs);
  if (!isUnexpired(record, atMs) || !fits(record, body)) throw new ApiError('oauth_invalid_grant');
  if ((await getUser(record.userId))?.status !== 'active') throw new ApiError('oauth_invalid_grant');

  const tokens: TokenSet = {
    access: formatSecret('access_token', randomToken()),
    refresh: formatSecret('refresh_token', randomToken()),
  };
  if (!(await codes.redeem(body.code, record, tokens, randomToken(), atMs))) {
    await refuseUsed(await codes.find(body.code), deps, atMs);
    throw new ApiError('oauth_invalid_grant');
  }
  return answerOf(tokens, record.scopes, atMs + lifetimes.accessMs, atMs);
}

async function refuseUsed(record: CodeRecord | undefined, { tokens }: Deps, atMs: number): Promise<void> {
  if (record?.familyId === undefined) return;
  await tokens.revoke(record.familyId, atMs);
  throw new ApiError('oauth_invalid_grant');
}

/** A verifier without a challenge is refused as well: somebody may have taken the challenge out (RFC 9700 section 4.8). */
function fits({ redirectUri, namedRedirect, challenge }: CodeRecord, body: Body): boolean {
  const verified =
    challenge === undefined
      ? body.code_verifier === undefined
      : answersChallenge(body.code_verifier ?? '', challenge);
  const redirects = body.redirect_uri === undefined ? !namedRedirect : body.redirect_uri === redirectUri;
  return verified && redirects;
}

async function refresh(body: Body, application: Application, deps: Deps, atMs: number): Promise<Answer> {
  const { tokens, getUser, randomToken } = deps;
  const token = body.refresh_token;
  if (token === undefined) throw missing('refresh_token');
  const record = await tokens.findRefresh(token);
  const { applicationId, familyId = '', userId = '' } = record ?? {};
  if (record === undefined || applicationId !== application.applicationId || !isUnexpired(record, atMs)) {
    throw new ApiError('oauth_invalid_grant');
  }
  const [family, user] = await Promise.all([tokens.family(familyId), getUser(userId)]);
  if (family === undefined || user?.status !== 'active') throw new ApiError('oauth_invalid_grant');
  if (refreshTokenState(family, secretHash(token), atMs) === 'current') {
    const scopes = narrowed(body.scope, family.scopes);
    if (scopes === undefined) throw new ApiError('oauth_invalid_scope');
    const salt = randomToken();
    if (await tokens.rotate(family, token, { salt, scopes }, atMs)) {
      return answerOf(nextTokens(token, salt), scopes, atMs + lifetimes.accessMs, atMs);
    }
  }
  return answerAgain(token, familyId, deps, atMs);
}

/** The token is not the current one, or is no more: a retry gets what the first got, a replay ends the family. */
async function answerAgain(token: string, familyId: string, { tokens }: Deps, atMs: number): Promise<Answer> {
  const family = await tokens.family(familyId);
  const standing = refreshTokenState(family, secretHash(token), atMs);
  if (standing === 'replayed') await tokens.revoke(familyId, atMs);
  const last = family?.last;
  if (standing !== 'retried' || last === undefined) throw new ApiError('oauth_invalid_grant');
  return answerOf(nextTokens(token, last.salt), last.scopes, last.atMs + lifetimes.accessMs, atMs);
}

function answerOf(
  { access, refresh }: TokenSet,
  scopes: readonly Scope[],
  expiresAtMs: number,
  atMs: number,
) {
  return {
    access_token: access,
    token_type: 'Bearer' as const,
    expires_in: Math.floor((expiresAtMs - atMs) / 1000),
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}

const missing = (field: string) =>
  new ApiError('oauth_invalid_request', { details: { [field]: 'is required' } });

export const handler = endpoint(routes.token, giveTokens, tokenDeps);
