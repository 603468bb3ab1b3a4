/** Text of a stranger for a terminal: characters that move the cursor or change the direction of text are replaced. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '\uFFFD');
}

/** The same for one line, such as a name. */
export const printableLine = (text: string) => printable(text).replaceAll(/[\n\t]/g, '\uFFFD');

/** JSON with terminal control characters escaped. */
export function printableJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]|[\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => escaped(character.charCodeAt(i))).join(''),
  );
  return `${json}\n`;
}

const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`;

/** `once`, `3 times`. */
export const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

/** A size for people: `512 bytes`, `1.5 KB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const units = ['KB', 'MB', 'GB'];
  let size = bytes / 1000;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${size.toFixed(1)} ${units[unit]}`;
}

/** A time of the service for people: `2026-11-23 14:00 UTC`. A link names its service, which may be anyone's. */
export const timeText = (iso: string) => printableLine(`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`);

/**
 * The text of a file or of standard input, without byte order marks: two programs that write one each leave two. Undefined when it is
 * not UTF-8: two programs would read other encodings as different texts. A NUL is a sign of UTF-16 without a mark.
 */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/^\uFEFF+/, '');
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
