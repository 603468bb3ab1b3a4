import type { ServiceResponse } from '../service-exchange.ts';
import { ShareError, type ShareErrorCode } from './share-error.ts';
import type { ShareRequest } from './share-requests.ts';

/** The body of an answer of status 200. @throws {ShareError} what any other answer means */
export function expectOk(answer: ServiceResponse, request: ShareRequest): Record<string, unknown> {
  if (answer.status === 200) return answer.body;
  const code = codes[answer.status] ?? (answer.status >= 500 ? 'server_error' : 'invalid_request');
  const retryAfter = Number(answer.header('retry-after') ?? Number.NaN);
  const seconds = Number.isInteger(retryAfter) ? retryAfter : undefined;
  throw new ShareError(code, messageOf(code, seconds, request), {
    status: answer.status,
    details: answer.body.details,
    retryAfterSeconds: seconds,
    auditId: answer.header('x-audit-id'),
  });
}

const codes: Partial<Record<number, ShareErrorCode>> = {
  403: 'wrong_passphrase',
  404: 'share_gone',
  413: 'too_large',
  429: 'rate_limited',
};

function messageOf(code: ShareErrorCode, seconds: number | undefined, request: ShareRequest): string {
  switch (code) {
    case 'wrong_passphrase':
      return 'The passphrase is wrong. The share is as it was; try again.';
    case 'share_gone':
      return request.whenGone;
    case 'too_large':
      return 'The content is larger than the service accepts.';
    case 'rate_limited':
      return seconds === undefined
        ? 'Too many requests, or too many wrong passphrases. Try again later.'
        : `Too many requests, or too many wrong passphrases. Try again in ${seconds} seconds.`;
    case 'server_error':
      return `The service failed. ${request.whenLost}`;
    default:
      return 'The service refused the request.';
  }
}

/**
 * A text of an answer of status 200.
 *
 * @throws {ShareError} `server_error` when it is absent: something else than the service answered.
 */
export function textIn(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : notOfTheService(name);
}

/** A number of an answer of status 200. @throws {ShareError} `server_error` when it is absent. */
export function numberIn(body: Record<string, unknown>, name: string): number {
  const value = body[name];
  return typeof value === 'number' ? value : notOfTheService(name);
}

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function notOfTheService(name: string): never {
  throw new ShareError('server_error', `The answer has no ${name}: something else than the service sent it.`);
}
