import { ShareError } from '../client/share.ts';
import { waitInWords } from './words.ts';

/**
 * The error in words, and the next action.
 *
 * @param unanswered what may have happened when a request was sent and its response did not arrive.
 */
export function problemInWords(error: unknown, unanswered: string): string {
  if (!(error instanceof ShareError))
    return 'Something failed in this browser. Reload the page, and try again.';
  switch (error.code) {
    case 'unreachable':
      return navigator.onLine
        ? `The connection broke, or the service did not respond. ${unanswered}`
        : `You are offline. ${unanswered}`;
    case 'rate_limited':
      return `There were too many requests from your network, or for this share. Try again in ${waitInWords(error.retryAfterSeconds ?? 60)}.`;
    case 'too_large':
      return 'This is too large. A share holds up to 1 MB, and the names of a few dozen files.';
    case 'server_error':
      return `Something failed on our side. ${unanswered}${reportInWords(error)}`;
    default:
      return `The service refused the request. Reload the page, and try again.${reportInWords(error)}`;
  }
}

function reportInWords({ auditId }: ShareError): string {
  return auditId === undefined ? '' : ` If you report the problem, quote ${auditId}.`;
}
