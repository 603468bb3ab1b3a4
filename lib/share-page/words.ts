/** Sizes and times in words. */
import { formatTime } from '../../functions/shared/html/text.ts';
import { hourMs, minuteMs, secondMs } from '../../functions/shared/runtime/duration.ts';

/** "512 bytes", "12 KB", "1.2 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(2).replace(/\.?0+$/, '')} MB`;
}

/** A time as every page shows it. */
export const timeInWords = (iso: string): string => formatTime(Date.parse(iso));

/** How long to wait: "40 seconds", "12 minutes". */
export function waitInWords(seconds: number): string {
  const wait = seconds * secondMs;
  if (wait < 2 * minuteMs) return counted(Math.max(1, Math.ceil(seconds)), 'second');
  if (wait < 2 * hourMs) return counted(Math.ceil(wait / minuteMs), 'minute');
  return counted(Math.ceil(wait / hourMs), 'hour');
}

/** "1 file", "3 files". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
