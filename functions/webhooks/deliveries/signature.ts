import { Webhook as Signer } from 'standardwebhooks';
import { secondMs } from '../../shared/runtime/clock.ts';

/**
 * The headers of a delivery, signed as Standard Webhooks defines: the id is that of the event, the same at every attempt,
 * and there is one signature for each secret, separated by spaces.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param secrets with which to sign, `whsec_…`.
 * @param sentAtMs the time of the attempt, which is signed in whole seconds.
 */
export function signedHeaders(
  { eventId, body, sentAtMs }: { eventId: string; body: string; sentAtMs: number },
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => new Signer(secret).sign(eventId, new Date(sentAtMs), body));
  return {
    'content-type': 'application/json',
    'user-agent': 'Vouchsafe/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(sentAtMs / secondMs)),
    'webhook-signature': signatures.join(' '),
  };
}
