import { hkdfSync } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { env } from '../runtime/env.ts';

const client = new SecretsManagerClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true },
});

/** What a key of the deployment is for: a key of one purpose is useless for another. */
export type KeyPurpose = 'checkouts' | 'codes' | 'proofs' | 'writes';

/** Kept for the life of the process: the secret is never replaced, or every vault's proof would be void. */
let secret: Promise<string> | undefined;
const derived = new Map<KeyPurpose, Buffer>();

/**
 * A key of 256 bits that only this deployment has, derived (HKDF, RFC 5869) from a secret that the deployment
 * made itself and that is not in the table.
 */
export async function deploymentKey(purpose: KeyPurpose): Promise<Buffer> {
  const known = derived.get(purpose);
  if (known !== undefined) return known;
  // One call, however many requests wait for it; one that failed is made again by the next request.
  secret ??= readSecret().catch((error: unknown) => {
    secret = undefined;
    throw error;
  });
  const key = Buffer.from(hkdfSync('sha256', await secret, '', `vouchsafe ${purpose}`, 32));
  derived.set(purpose, key);
  return key;
}

async function readSecret(): Promise<string> {
  const { SecretString } = await client.send(
    new GetSecretValueCommand({ SecretId: env.deploymentKeySecret() }),
  );
  // An empty or shortened secret would make every keyed hash guessable: better no service than that.
  if ((SecretString?.length ?? 0) < 32) throw new Error('The secret of the deployment is too short');
  return SecretString as string;
}
