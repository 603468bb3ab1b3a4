import { randomHmacKey, randomToken } from '../../shared/runtime/random.ts';
import type { SigningSecret } from './webhook.ts';

/**
 * A new signing secret: `whsec_` and 256 random bits in Base64.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function newSigningSecret(createdAtMs: number): SigningSecret {
  return { secretId: randomToken(), secret: `whsec_${randomHmacKey()}`, createdAtMs };
}
