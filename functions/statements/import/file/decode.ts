import { gunzipSync } from 'node:zlib';
import { UnreadableFile } from './entry.ts';

/** A file of 10,000 entries of CAMT.053 has some 15 MB. */
const maxFileBytes = 24 * 1024 * 1024;

/**
 * The bytes of a file, unpacked when gzip packed them (RFC 1952). Unpacking stops at the largest
 * file, whatever the archive promises.
 *
 * @throws UnreadableFile
 */
export function unpackFile(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4)
    throw new UnreadableFile(
      'is a ZIP archive or a workbook: unpack it, or save it as CSV, and send each file by itself',
    );
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxFileBytes });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new UnreadableFile(`must be at most ${maxFileBytes} bytes unpacked`);
    throw new UnreadableFile('is not a complete gzip archive');
  }
}

/**
 * The text of an XML file: by its byte order mark, else by its declaration, else UTF-8 (XML 1.0, appendix F).
 *
 * @throws UnreadableFile when the bytes are not text of that encoding, or the encoding is not one that banks use.
 */
export function decodeXml(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /^<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1]?.toLowerCase();
  const encoding = marked ?? declared ?? 'utf-8';
  if (!xmlEncodings.has(encoding)) throw new UnreadableFile('has an encoding that is not supported');
  return decode(bytes, encoding);
}

const xmlEncodings: ReadonlySet<string> = new Set([
  'utf-8',
  'utf-16le',
  'utf-16be',
  'us-ascii',
  'iso-8859-1',
  'iso-8859-15',
  'windows-1252',
]);

/** The text of a CSV file: UTF-8, and windows-1252 when it is not UTF-8. Spreadsheets of Europe write both. */
export function decodeCsv(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return decode(bytes, marked);
  try {
    return decode(bytes, 'utf-8');
  } catch {
    return decode(bytes, 'windows-1252');
  }
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

function decode(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile(`is not text in ${encoding}`);
  }
}
