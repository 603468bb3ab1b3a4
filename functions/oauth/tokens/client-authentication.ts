/** Client authentication at the token and revocation endpoints: RFC 6749 section 2.3. */

import type { output } from 'zod/mini';
import { type Application, getApplication } from '../../shared/accounts/applications.ts';
import { noteKeyUse } from '../../shared/auth/application-use.ts';
import { findSecret } from '../../shared/auth/secrets.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Remote } from '../../shared/contract/route.ts';
import { clientKey } from '../../shared/lambda/client-key.ts';
import { secondMs } from '../../shared/runtime/clock.ts';
import * as env from '../../shared/runtime/env.ts';
import { consume } from '../../shared/table/rate-limit.ts';
import { isPublicClient } from '../authorization/request.ts';
import type { ClientHeaders, TokenRequest } from './requests.ts';

export const clientAuthenticationMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;

interface Credentials {
  clientId: string;
  clientSecret: string | undefined;
}

interface AuthenticatedRequest {
  headers: output<typeof ClientHeaders>;
  body: Pick<TokenRequest, 'client_id' | 'client_secret'>;
}

/**
 * Does the work of an authenticated client within the limit of its address. The use of its secret is noted at the same time.
 *
 * @throws ApiError as {@link authenticateClient}; `oauth_limited`
 */
export async function forClient<T>(
  { remote, ...request }: AuthenticatedRequest & { remote: Remote },
  nowMs: number,
  work: (application: Application) => Promise<T>,
): Promise<T> {
  const authentication = authenticateClient(request, nowMs);
  // Awaited only after the limit, so that requests above it learn nothing of a secret: without a handler, a rejection would end
  // the process.
  authentication.catch(() => undefined);
  await limitTokenRequests(remote, nowMs);
  const { application, keyId } = await authentication;
  const noted = keyId === undefined ? undefined : noteKeyUse(application.applicationId, keyId, nowMs);
  try {
    return await work(application);
  } finally {
    await noted;
  }
}

/**
 * Authenticates the client: by its secret, or by its id alone when it is public. A client without any key is refused: an
 * operator has ended its access. A secret that is no longer among the keys is refused, although it may be cached.
 *
 * @throws ApiError `oauth_invalid_client`; `oauth_invalid_request` when the request uses two methods at once
 */
async function authenticateClient(
  request: AuthenticatedRequest,
  nowMs: number,
): Promise<{ application: Application; keyId: string | undefined }> {
  const { clientId, clientSecret } = clientCredentials(request);
  const [application, record] = await Promise.all([
    getApplication(clientId),
    clientSecret === undefined ? undefined : findSecret('client_secret', clientSecret, nowMs),
  ]);
  if (application === undefined || Object.keys(application.keys).length === 0) {
    throw new ApiError('oauth_invalid_client');
  }
  const isAuthenticated =
    clientSecret === undefined
      ? isPublicClient(application)
      : record?.applicationId === clientId && Object.hasOwn(application.keys, record.keyId);
  if (!isAuthenticated) throw new ApiError('oauth_invalid_client');
  return { application, keyId: record?.keyId };
}

function clientCredentials({
  headers: { authorization },
  body: { client_id, client_secret },
}: AuthenticatedRequest): Credentials {
  if (authorization === undefined) {
    if (client_id === undefined) throw new ApiError('oauth_invalid_client');
    return { clientId: client_id, clientSecret: client_secret };
  }
  const basic = basicCredentials(authorization);
  if (basic === undefined) throw new ApiError('oauth_invalid_client');
  if (client_secret !== undefined) refuseSecondMethod('client_secret');
  if (client_id !== undefined && client_id !== basic.clientId) refuseSecondMethod('client_id');
  return basic;
}

function refuseSecondMethod(field: string): never {
  throw new ApiError('oauth_invalid_request', {
    details: { [field]: 'must not differ from the Authorization header, or repeat it' },
  });
}

/** Id and secret are form-encoded before they are joined: RFC 6749 section 2.3.1. */
function basicCredentials(authorization: string): Credentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const clientId = formDecode(id);
  // An empty secret counts as omitted: RFC 6749 section 2.3.1.
  const clientSecret = formDecode(secret) || undefined;
  return clientId === undefined || clientId === '' ? undefined : { clientId, clientSecret };
}

function formDecode(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * Rate-limits the token endpoints by client address. A limit by application would let anyone who knows the id
 * of a public client use up that client's requests.
 *
 * @throws ApiError `oauth_limited`
 */
async function limitTokenRequests({ address }: Remote, nowMs: number): Promise<void> {
  const limit = { group: 'oauth-token', max: env.applicationRequestsPerSecond(), windowMs: secondMs };
  const verdict = await consume(limit, clientKey(address), nowMs);
  if (!verdict.allowed) throw new ApiError('oauth_limited', verdict);
}
