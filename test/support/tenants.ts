import { randomUUID } from 'node:crypto';
import * as keys from '../../functions/shared/contract/keys.ts';
import {
  formatSecret,
  type SecretKind,
  secretHash,
  secretHint,
} from '../../functions/shared/contract/secret.ts';
import { newId } from '../../functions/shared/runtime/ids.ts';
import { randomToken } from '../../functions/shared/runtime/random.ts';
import { putItem } from './stored-items.ts';

/** An application with a client secret and an API key, written directly to the table. */
export interface Tenant {
  applicationId: string;
  clientSecret: string;
  apiKey: string;
  redirectUri: string;
}

export async function newTenant(settings: Record<string, unknown> = {}): Promise<Tenant> {
  const createdAtMs = Date.now();
  const applicationId = newId('app', createdAtMs);
  const redirectUri = 'https://app.example/callback';
  // Both keys of one moment, as the endpoint creates them: their order in responses follows from it.
  const [client, api] = await Promise.all([
    newSecret('client_secret', { applicationId }, createdAtMs),
    newSecret('api_key', { applicationId }, createdAtMs),
  ]);
  await putItem({
    ...keys.application(applicationId),
    applicationId,
    name: 'Example App',
    redirectUris: [redirectUri],
    settings,
    createdAtMs,
    revision: 1,
    keys: { [client.keyId]: client.key, [api.keyId]: api.key },
  });
  return { applicationId, clientSecret: client.secret, apiKey: api.secret, redirectUri };
}

/** A secret of any kind. An operator key is of an admin, unless `more` has other scopes. */
export async function newSecret(
  kind: SecretKind,
  more: Record<string, unknown> = {},
  createdAtMs: number = Date.now(),
) {
  const secret = formatSecret(kind, randomToken());
  const hash = secretHash(secret);
  const keyId = newId('key', createdAtMs);
  const operator = kind === 'operator_key' ? { name: 'Olga Operator', scopes: ['admin'] } : {};
  await putItem({ ...keys.secret(kind, hash), kind, keyId, createdAtMs, ...operator, ...more });
  return { secret, keyId, key: { kind, hash, hint: secretHint(secret), createdAtMs } };
}

/** An operator key, of an admin unless `more` has other scopes. */
export const newOperatorKey = async (more: Record<string, unknown> = {}): Promise<string> =>
  (await newSecret('operator_key', more)).secret;

export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** A user with an active, verified profile. `more` overrides its fields. */
export async function newUser(more: Record<string, unknown> = {}) {
  const userId = `user-${randomUUID()}`;
  const email = `${userId}@example.com`;
  await putItem({
    ...keys.user(userId),
    userId,
    email,
    name: 'Ann',
    status: 'active',
    verified: true,
    ...more,
  });
  await putItem({ ...keys.address(email), userId });
  return { userId, email };
}
