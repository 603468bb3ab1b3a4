import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../contract/errors.ts';
import type { LinksCaller } from '../contract/route.ts';
import { isWellFormedSecret, type SecretKind, type SecretRecord } from '../contract/secret.ts';
import { startRateLimitCheck } from '../lambda/rate-limit-check.ts';
import { type RequestContext, singleHeader } from '../lambda/request-context.ts';
import { secondMs } from '../runtime/duration.ts';
import { env } from '../runtime/env.ts';
import { findSecret } from './secrets.ts';

/**
 * The token of `Authorization: Bearer` (RFC 6750 section 2.1); undefined without a token or when the header
 * is repeated.
 */
export function bearerToken(event: APIGatewayProxyEvent): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(singleHeader(event, 'authorization') ?? '') ?? [];
  return token;
}

/** @throws ApiError `invalid_token` */
async function requireSecret(context: RequestContext, ...kinds: SecretKind[]): Promise<SecretRecord> {
  const token = bearerToken(context.event) ?? '';
  const kind = kinds.find((candidate) => isWellFormedSecret(candidate, token));
  const record = kind && (await findSecret(kind, token, context.startedAtMs));
  if (record === undefined) throw new ApiError('invalid_token');
  return record;
}

/**
 * Authenticates an operator key.
 * @throws ApiError `invalid_token`
 */
export async function operatorCaller(context: RequestContext): Promise<{ keyId: string }> {
  return { keyId: (await requireSecret(context, 'operator_key')).keyId };
}

/**
 * Authenticates an application by its client secret or by a user's access token. Starts the application's
 * rate limit check, which runs concurrently with the handler.
 *
 * @throws ApiError `invalid_token`, `rate_limited`
 */
export async function linksCaller(context: RequestContext): Promise<LinksCaller> {
  const record = await requireSecret(context, 'client_secret', 'access_token');
  const { applicationId = '', kind, userId = '', scopes = [] } = record;
  checkApplicationLimit(context, applicationId);
  return kind === 'access_token'
    ? { applicationId, by: 'token', userId, scopes }
    : { applicationId, by: 'secret' };
}

/**
 * Authenticates an application by its API key. Starts the application's rate limit check, which runs
 * concurrently with the handler.
 *
 * @throws ApiError `invalid_token`, `rate_limited`
 */
export async function apiKeyCaller(context: RequestContext): Promise<{ applicationId: string }> {
  const { applicationId = '' } = await requireSecret(context, 'api_key');
  checkApplicationLimit(context, applicationId);
  return { applicationId };
}

/** One limit per application, across all callers and secrets of the application. */
function checkApplicationLimit(context: RequestContext, applicationId: string): void {
  const limit = { group: 'application', max: env.applicationRequestsPerSecond(), windowMs: secondMs };
  startRateLimitCheck(context, limit, applicationId, 'rate_limited');
}
