/** Plain text that is safe to show anywhere, and dates for people to read. */

/**
 * External text on one line. Control characters and line breaks become spaces. Invisible characters and
 * characters that change the writing direction are removed, except the joiners that scripts and emoji need.
 * Lone surrogates are replaced.
 */
export function singleLine(value: string): string {
  const visible = value.toWellFormed().replace(/(?![\u200C\u200D])\p{Cf}/gu, '');
  return visible.replace(/[\p{Cc}\p{Z}]+/gu, ' ');
}

/** {@link singleLine}, trimmed and truncated: safe in every place, including the headers of a mail. */
export function plainText(value: string, maxLength = Number.POSITIVE_INFINITY): string {
  const text = singleLine(value).trim();
  if (text.length <= maxLength) return text;
  // The cut must not leave half of a surrogate pair.
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * A name chosen by a person or taken from a user agent, at most 60 characters. Mail clients turn text that
 * looks like an address into a link, and a name must not lead the reader to a page of its owner's choice.
 */
export function unlinkedName(value: string): string {
  return plainText(value.replaceAll('://', ': ').replace(/\.(?=\p{L})/gu, '. '), 60);
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** "21 November 2026", in UTC. Written without Intl, whose first use adds 10 ms to a cold start. */
export function formatDate(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "21 November 2026, 06:45 UTC". */
export function formatTime(epochMs: number): string {
  return `${formatDate(epochMs)}, ${new Date(epochMs).toISOString().slice(11, 16)} UTC`;
}
