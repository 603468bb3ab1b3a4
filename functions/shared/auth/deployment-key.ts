import { hkdfSync } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { limitAttempts } from '../runtime/attempt-limit.ts';
import { secondMs } from '../runtime/clock.ts';
import * as env from '../runtime/env.ts';

/** The client of the process. A call that fails takes at most 9.2 seconds, like one to the table. */
const secretsManager = limitAttempts(
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true },
  }),
  3 * secondMs,
);

/** The purpose of a derived key. A key of one purpose is useless for another. */
export type KeyPurpose = 'billing' | 'checkouts' | 'codes' | 'proofs' | 'sessions' | 'writes';

/** Cached for the life of the process. The secret never changes: a new one would invalidate the proof of every vault. */
let secret: Promise<string> | undefined;
const derived = new Map<KeyPurpose, Buffer>();

/**
 * A 256-bit key unique to this deployment, derived (HKDF, RFC 5869) from a secret that the deployment
 * generated and that is not in the table.
 */
export async function deploymentKey(purpose: KeyPurpose): Promise<Buffer> {
  const cached = derived.get(purpose);
  if (cached !== undefined) return cached;
  // Concurrent requests share one call. After a failure, the next request calls again.
  secret ??= readSecret().catch((error: unknown) => {
    secret = undefined;
    throw error;
  });
  const key = Buffer.from(hkdfSync('sha256', await secret, '', `vouchsafe ${purpose}`, 32));
  derived.set(purpose, key);
  return key;
}

async function readSecret(): Promise<string> {
  const { SecretString = '' } = await secretsManager.send(
    new GetSecretValueCommand({ SecretId: env.deploymentKeySecret() }),
  );
  // A short secret would make every keyed hash guessable, so the service must not run with it.
  if (SecretString.length < 32) throw new Error('The deployment secret is too short');
  return SecretString;
}
