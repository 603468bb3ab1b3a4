/**
 * An error of the SES API. The SDK turns it into an exception with the code as its name.
 *
 * Source: https://docs.aws.amazon.com/ses/latest/APIReference/CommonErrors.html
 */
export class SesError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'SesError';
    this.code = code;
    this.status = status;
  }
}

/** Failures that can be set for the next sends. `timeout` gives no response at all. */
export const failureKinds = ['Throttling', 'MessageRejected', 'ServiceUnavailable', 'timeout'] as const;

export type FailureKind = (typeof failureKinds)[number];

/** The SDK retries a throttled send by its code, and a 503 by its status. */
export const failures: Readonly<Record<Exclude<FailureKind, 'timeout'>, SesError>> = {
  Throttling: new SesError('Throttling', 'Maximum sending rate exceeded.'),
  MessageRejected: new SesError('MessageRejected', 'Told to reject this message.'),
  ServiceUnavailable: new SesError('ServiceUnavailable', 'Service is currently unavailable.', 503),
};
