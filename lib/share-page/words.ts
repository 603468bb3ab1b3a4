/** Sizes, times and errors in words. */
import { formatTime } from '../../functions/shared/html/text.ts';
import { hourMs, minuteMs, secondMs } from '../../functions/shared/runtime/clock.ts';
import { utc } from '../../functions/shared/runtime/time-zone.ts';
import { ShareError } from '../client/share.ts';

/** "512 bytes", "12 KB", "1.2 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(2).replace(/\.?0+$/, '')} MB`;
}

/** A time as every page shows it. */
export const timeInWords = (iso: string): string => formatTime(Date.parse(iso), utc);

/** How long to wait: "40 seconds", "12 minutes". */
function waitInWords(seconds: number): string {
  const wait = seconds * secondMs;
  if (wait < 2 * minuteMs) return counted(Math.max(1, Math.ceil(seconds)), 'second');
  if (wait < 2 * hourMs) return counted(Math.ceil(wait / minuteMs), 'minute');
  return counted(Math.ceil(wait / hourMs), 'hour');
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

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
