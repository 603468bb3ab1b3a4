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
