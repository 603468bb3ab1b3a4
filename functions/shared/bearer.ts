import type { APIGatewayProxyEvent } from 'aws-lambda';
import { countBeside } from './admission.ts';
import type { LinksCaller } from './contract.ts';
import { env } from './env.ts';
import { ApiError } from './errors.ts';
import { type Exchange, header, isRepeated } from './exchange.ts';
import { hasForm, type SecretKind, type SecretRecord } from './secret.ts';
import { findSecret } from './secrets.ts';

/** The token of `Authorization: Bearer`, RFC 6750 section 2.1; undefined without one, or with two of the header. */
export function bearerToken(event: APIGatewayProxyEvent): string | undefined {
  if (isRepeated(event, 'authorization')) return undefined;
  const [, token] = /^bearer +(\S+) *$/i.exec(header(event, 'authorization') ?? '') ?? [];
  return token;
}

/** @throws ApiError `invalid_token` */
async function found(exchange: Exchange, ...kinds: SecretKind[]): Promise<SecretRecord> {
  const token = bearerToken(exchange.event) ?? '';
  const kind = kinds.find((one) => hasForm(one, token));
  const record = kind && (await findSecret(kind, token, exchange.startedAtMs));
  if (record === undefined) throw new ApiError('invalid_token');
  return record;
}

/**
 * Authenticates an operator key.
 * @throws ApiError `invalid_token`
 */
export async function operatorCaller(exchange: Exchange): Promise<{ keyId: string }> {
  return { keyId: (await found(exchange, 'operator_key')).keyId };
}

/**
 * Authenticates an application by its client secret or by a user's access token, and counts the request against
 * the application's limit while the handler goes on.
 *
 * @throws ApiError `invalid_token`, `rate_limited`
 */
export async function linksCaller(exchange: Exchange): Promise<LinksCaller> {
  const record = await found(exchange, 'client_secret', 'access_token');
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
export async function apiKeyCaller(exchange: Exchange): Promise<{ applicationId: string }> {
  const { applicationId = '' } = await found(exchange, 'api_key');
  countApplication(exchange, applicationId);
  return { applicationId };
}

/** By application: whoever sends them and whichever of its secrets they use. */
function countApplication(exchange: Exchange, applicationId: string): void {
  const limit = { group: 'application', max: env.applicationRequestsPerSecond(), windowMs: 1_000 };
  countBeside(exchange, limit, applicationId, 'rate_limited');
}
