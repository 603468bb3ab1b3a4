/** Plain text that is safe to show anywhere, and dates for people to read. */
import { momentOf, type Zoned } from '../runtime/time-zone.ts';

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
 * External text that no mail client or viewer turns into a link. They link what looks like a web address, an e-mail
 * address, a scheme (`tel:`) or a network path, and a text must not lead the reader to a place of its author's choice.
 * Spaces are inserted; the reader still sees what was written.
 *
 * @param maxLength of the result.
 */
export function unlinkedText(value: string, maxLength = Number.POSITIVE_INFINITY): string {
  const text = singleLine(value)
    .replaceAll('://', ': ')
    // A scheme, and the other characters that separate labels of a domain (RFC 3490 section 3.1).
    .replace(/(\p{L}[\p{L}\p{N}+-]*):(?=[^\s:])/gu, '$1: ')
    // A dot before anything but a space or a digit: what follows can look like a letter to the viewer.
    .replace(/([.\u3002\uFF0E\uFF61\u2024\uFE52])(?=[^\s\d.]|$)(?!$)/gu, '$1 ')
    // An IP address with a path.
    .replace(/(\d)\/(?=[^\s\d])/gu, '$1 / ')
    .replace(/\s*([@\uFF20])\s*/gu, ' $1 ')
    .replace(/\\(?=\\)|\/(?=\/)/gu, '$& ');
  return plainText(text, maxLength);
}

/** A name chosen by a person or taken from a user agent, at most 60 characters. See {@link unlinkedText}. */
export const unlinkedName = (value: string): string => unlinkedText(value, 60);

/**
 * A text in which the host of each web address can be judged: one with other characters than ASCII, or with percent-encoding, has
 * the host that a browser connects to before it. Letters of two scripts can look the same, and a character can look like a slash:
 * https://www.unicode.org/reports/tr36/#international_domain_names
 */
export function shownAddresses(text: string): string {
  return text.replaceAll(/https?:\/\/([^\s/?#"\\]+)/giu, (address, authority: string) => {
    if (/^[\w.:[\]-]+$/.test(authority)) return address;
    const host = URL.parse(`https://${authority}`)?.host;
    return host === undefined ? address : `[${host}] ${address}`;
  });
}

const quotationMarks =
  /["\u00AB\u00BB\u201C-\u201F\u2033\u2036\u2039\u203A\u275D\u275E\u276E\u276F\u300C-\u300F\u301D-\u301F\uFF02\u{1F676}-\u{1F678}]/gu;

/** Text without quotation marks, which could end or begin a quotation: each becomes an apostrophe. */
export const withoutQuotationMarks = (value: string): string => value.replace(quotationMarks, "'");

/**
 * Text of a third party, in quotation marks: the reader can tell it from the service's own. It contains no other quotation
 * marks, and no link. Empty without text.
 *
 * @param maxLength of the text between the marks.
 */
export function quoted(value: string, maxLength = 60): string {
  const text = unlinkedText(withoutQuotationMarks(value), maxLength);
  return text === '' ? '' : `\u201C${text}\u201D`;
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

/** "21 November 2026" */
export function formatDate(epochMs: number, { timeZone = 'UTC' }: Zoned): string {
  const { day, month, year } = momentOf(epochMs, timeZone);
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}

/** "21 November 2026, 06:45 UTC", "21 November 2026, 08:45 GMT+2" */
export function formatTime(epochMs: number, { timeZone = 'UTC' }: Zoned): string {
  const { hour, minute, timeZoneName } = momentOf(epochMs, timeZone);
  return `${formatDate(epochMs, { timeZone })}, ${hour}:${minute} ${timeZoneName}`;
}
