import { secondMs } from '../../shared/runtime/clock.ts';

/** The part of the body of an answer that is kept, in bytes of UTF-8. */
const keptBytes = 1_024;

/**
 * The beginning of a body as text of at most 1,024 bytes of UTF-8, cut between two characters. Bytes that are no UTF-8, and
 * control characters other than line breaks and tabs, become U+FFFD: the text is stored, and shown in JSON and terminals.
 */
export function excerpt(body: Uint8Array): string {
  const text = new TextDecoder()
    .decode(body.subarray(0, keptBytes), { stream: true })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are replaced.
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g, '\uFFFD');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(keptBytes));
  return text.slice(0, read);
}

/** Days and months are not checked against each other. `Date.parse` refuses times that do not exist. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The delay that a `Retry-After` asks for, in seconds or as a date
 * (https://www.rfc-editor.org/rfc/rfc9110.html#section-10.2.3).
 *
 * @returns milliseconds from `nowMs`, 0 for a date that has passed; undefined for a value of neither form.
 */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * secondMs;
  const dateMs = httpDate.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
