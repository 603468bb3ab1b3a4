/** How an application proves itself at the token and revocation endpoints: RFC 6749 section 2.3. */
import { type Application, getApplication } from '../shared/accounts/applications.ts';
import { findSecret } from '../shared/auth/secrets.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { isPublic } from './request.ts';

export const clientAuthenticationMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const;

interface Credentials {
  clientId: string;
  secret: string | undefined;
}

export interface Presented {
  /** The `Authorization` header. */
  authorization: string | undefined;
  client_id: string | undefined;
  client_secret: string | undefined;
}

export const clientDeps = () => ({ findSecret, getApplication });

/**
 * The application that sent the request: by its secret, or by its id alone when it is one that cannot keep a secret.
 *
 * @throws ApiError `oauth_invalid_client`, `oauth_invalid_request` when it proves itself in two ways at once
 */
export async function authenticateClient(
  presented: Presented,
  { findSecret, getApplication }: ReturnType<typeof clientDeps>,
  nowMs: number,
): Promise<Application> {
  const { clientId, secret } = credentialsOf(presented);
  const [application, record] = await Promise.all([
    getApplication(clientId),
    secret === undefined ? undefined : findSecret('client_secret', secret, nowMs),
  ]);
  if (application === undefined) throw new ApiError('oauth_invalid_client');
  const proven = secret === undefined ? isPublic(application) : record?.applicationId === clientId;
  if (!proven) throw new ApiError('oauth_invalid_client');
  return application;
}

function credentialsOf({ authorization, client_id, client_secret }: Presented): Credentials {
  if (authorization === undefined) {
    if (client_id === undefined) throw new ApiError('oauth_invalid_client');
    return { clientId: client_id, secret: client_secret };
  }
  const basic = basicCredentials(authorization);
  if (basic === undefined) throw new ApiError('oauth_invalid_client');
  if (client_secret !== undefined) twoWays('client_secret');
  if (client_id !== undefined && client_id !== basic.clientId) twoWays('client_id');
  return basic;
}

function twoWays(field: string): never {
  throw new ApiError('oauth_invalid_request', {
    details: { [field]: 'must not differ from the Authorization header, or repeat it' },
  });
}

/** Id and secret are form-encoded before they are joined: RFC 6749 section 2.3.1. */
function basicCredentials(authorization: string): Credentials | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const clientId = formDecoded(id);
  const decoded = formDecoded(secret);
  // An empty secret is none: RFC 6749 section 2.3.1.
  return clientId === undefined || clientId === '' ? undefined : { clientId, secret: decoded || undefined };
}

function formDecoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
