/**
 * Text that people write and other people read.
 *
 * Control characters mean nothing in it, and can steer a terminal. Characters that override or isolate the writing
 * direction make a text read differently from what it says (https://unicode.org/reports/tr36/). Both are refused. The
 * marks and joiners that scripts and emoji need are not (U+200C to U+200F, U+061C).
 *
 * Ids, secrets, ciphertext and free-form metadata are opaque, and use none of this. Texts that were stored before these
 * rules are still returned: responses are not checked.
 */
import * as z from 'zod/mini';
import { wellFormed } from './well-formed.ts';

/** C0 and C1 controls, NEL (U+0085) included; line and paragraph separators; embeddings, overrides and isolates. */
const refusedInLine = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
/** The same without tabs and line ends (LF and CR LF). */
const refusedInLines = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** Text on one line, such as a title or a name: 1 to `maxLength` characters, or from `minLength` on. */
export function lineField(maxLength: number, minLength = 1) {
  return z.string().check(
    z.minLength(minLength),
    z.maxLength(maxLength),
    wellFormed,
    z.refine(
      (text) => !refusedInLine.test(text),
      'must be one line without control characters and direction overrides',
    ),
  );
}

export const notBlank = z.refine<string>((text) => text === '' || text.trim() !== '', 'must not be blank');

/** Text on any number of lines, such as a description: up to `maxLength` characters. */
export function linesField(maxLength: number) {
  return z.string().check(
    z.maxLength(maxLength),
    wellFormed,
    z.refine(
      (text) => !refusedInLines.test(text.replaceAll('\r\n', '\n')),
      'must have no control characters except tabs and line ends, and no direction overrides',
    ),
  );
}
