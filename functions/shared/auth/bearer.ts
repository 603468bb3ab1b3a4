import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../contract/errors.ts';
import type { LinksCaller } from '../contract/route.ts';
import { isWellFormedSecret, type SecretKind, type SecretRecord } from '../contract/secret.ts';
import { startRateLimitCheck } from '../lambda/rate-limit-check.ts';
import { header, isRepeated, type RequestContext } from '../lambda/request-context.ts';
import { env } from '../runtime/env.ts';
import { findSecret } from './secrets.ts';

/** The token of `Authorization: Bearer`, RFC 6750 section 2.1; undefined without one, or with two of the header. */
export function bearerToken(event: APIGatewayProxyEvent): string | undefined {
  if (isRepeated(event, 'authorization')) return undefined;
  const [, token] = /^bearer +(\S+) *$/i.exec(header(event, 'authorization') ?? '') ?? [];
  return token;
}

/** @throws ApiError `invalid_token` */
async function requireSecret(exchange: RequestContext, ...kinds: SecretKind[]): Promise<SecretRecord> {
  const token = bearerToken(exchange.event) ?? '';
  const kind = kinds.find((one) => isWellFormedSecret(one, token));
  const record = kind && (await findSecret(kind, token, exchange.startedAtMs));
  if (record === undefined) throw new ApiError('invalid_token');
  return record;
}

/**
 * Authenticates an operator key.
 * @throws ApiError `invalid_token`
 */
export async function operatorCaller(exchange: RequestContext): Promise<{ keyId: string }> {
  return { keyId: (await requireSecret(exchange, 'operator_key')).keyId };
}

/**
 * Authenticates an application by its client secret or by a user's access token, and counts the request against
 * the application's limit while the handler goes on.
 *
 * @throws ApiError `invalid_token`, `rate_limited`
 */
export async function linksCaller(exchange: RequestContext): Promise<LinksCaller> {
  const record = await requireSecret(exchange, 'client_secret', 'access_token');
  const { applicationId = '', kind, userId = '', scopes = [] } = record;
  countApplication(exchange, applicationId);
  return kind === 'access_token'
    ? { applicationId, by: 'token', userId, scopes }
    : { applicationId, by: 'secret' };
}

/**
 * Authenticates an application by its API key, and counts the request against the application's limit while the
 * handler goes on.
 *
 * @throws ApiError `invalid_token`, `rate_limited`
 */
export async function apiKeyCaller(exchange: RequestContext): Promise<{ applicationId: string }> {
  const { applicationId = '' } = await requireSecret(exchange, 'api_key');
  countApplication(exchange, applicationId);
  return { applicationId };
}

/** By application: whoever sends them and whichever of its secrets they use. */
function countApplication(exchange: RequestContext, applicationId: string): void {
  const limit = { group: 'application', max: env.applicationRequestsPerSecond(), windowMs: 1_000 };
  startRateLimitCheck(exchange, limit, applicationId, 'rate_limited');
}
