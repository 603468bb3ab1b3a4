import type { IncomingMessage } from 'node:http';
import { isEqualInConstantTime } from '../../functions/shared/runtime/constant-time.ts';

/**
 * Whether a request is signed with the access key of this process. The stack makes the key for each start and gives it to the
 * functions by the environment alone: nobody else can name it, so that the signature itself is not verified. With a profile of
 * the caller's in place of a key, the key is not known here, and any signed request is let in.
 */
export function isSignedHere({ headers }: IncomingMessage): boolean {
  const [, key] = /^AWS4-HMAC-SHA256 Credential=(\w+)\//.exec(headers.authorization ?? '') ?? [];
  return key !== undefined && isEqualInConstantTime(key, process.env.AWS_ACCESS_KEY_ID ?? key);
}
