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
