import type { components } from '../api/schema.ts';
import { decodeBase64 } from '../base64.ts';
import { joined } from '../bytes.ts';
import { webCrypto } from '../web-crypto.ts';

/**
 * - `missing_header`: one of the three headers of a delivery is absent.
 * - `wrong_signature`: no signature is that of the body and a secret. The body may have been parsed and written again.
 * - `wrong_time`: the delivery is older than the tolerance, or from the future.
 * - `invalid_secret`: the text is no secret of a webhook (`whsec_...`).
 * - `invalid_payload`: the signature is right, and the body is no event.
 */
export type WebhookErrorCode =
  | 'missing_header'
  | 'wrong_signature'
  | 'wrong_time'
  | 'invalid_secret'
  | 'invalid_payload';

/** A delivery was not verified: answer 400. */
export class WebhookError extends Error {
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.name = 'WebhookError';
    this.code = code;
  }
}

/**
 * An event: `type` says what `data` is. A newer service may send a type that is not listed, so a `switch` needs a `default` that
 * ignores it.
 */
export type VouchsafeEvent = components['schemas']['WebhookEvent'];

/** The headers of a request, as `fetch` and Node.js have them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** How much the time of a delivery may differ from that of this machine; five minutes by default. */
  toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
}

/**
 * Verifies a delivery as Standard Webhooks defines, in constant time.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param payload the body as it was received: JSON that was parsed and written again has other bytes.
 * @param secrets the secret of the webhook, or both while one replaces the other.
 * @throws {WebhookError}
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = () => Date.now() }: WebhookOptions = {},
): Promise<VouchsafeEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesOf(headerOf(headers, 'webhook-signature'));
  const body = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const { subtle } = webCrypto();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  let isRight = false;
  for (const secret of [secrets].flat()) {
    const key = await subtle.importKey('raw', bytesOf(secret), hmac, false, ['verify']);
    for (const signature of signatures) {
      if (await subtle.verify('HMAC', key, signature, signed)) isRight = true;
    }
  }
  if (!isRight) {
    throw new WebhookError(
      'wrong_signature',
      'No signature is that of this body. Pass the bytes as received.',
    );
  }
  // The order tells nobody without the secret whether a time is right.
  if (!(Math.abs(now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookError('wrong_time', 'The delivery is too old, or a clock is wrong.');
  }
  return eventOf(body);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers) ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError('missing_header', `The header ${name} is absent.`);
}

const isGetter = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function';

/** The signatures of version 1. Others are of versions that this one does not know. */
function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  return header.split(' ').flatMap((one) => {
    const bytes = one.startsWith('v1,') ? decodeBase64(one.slice('v1,'.length)) : undefined;
    return bytes ?? [];
  });
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : undefined;
  if (bytes === undefined || bytes.length === 0) {
    throw new WebhookError('invalid_secret', 'The secret of a webhook begins with whsec_.');
  }
  return bytes;
}

function eventOf(body: Uint8Array): VouchsafeEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body));
    if (typeof event.type === 'string') return event;
  } catch {
    // Not JSON.
  }
  throw new WebhookError('invalid_payload', 'The body is no event.');
}
