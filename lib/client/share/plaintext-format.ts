import { bytesOf } from '../bytes.ts';
import { fieldsOf } from '../fields.ts';
import { safeFileName } from './file-name.ts';
import { ivBytes, tagBytes } from './sealed-share.ts';
import type { OpenedFile, ShareContent } from './share-content.ts';
import { ShareError } from './share-error.ts';
import type { DecryptedShare, Plaintext } from './share-payload.ts';

/** The largest secret and metadata that the service accepts, before encryption. */
export const maxSecretBytes: number = 1024 * 1024 - tagBytes;
const maxMetadataBytes = 4 * 1024 - ivBytes - tagBytes;

const unknownType = 'application/octet-stream';
/** The name of content without metadata that is no text. */
const unknownName = 'share.bin';

/**
 * Packs content as the plaintext of a share. The plaintext of files is their bytes, one file after another; the metadata
 * says where each one ends: `{"v":1,"files":[{"name","type","size"}]}`. That of text is `{"v":1}`.
 *
 * @throws {ShareError} `too_large`, `invalid_request`
 */
export function packContent(content: ShareContent): { secret: Uint8Array<ArrayBuffer>; metadata: string } {
  const packed = 'files' in content ? packFiles(content.files) : packText(content.text);
  if (packed.secret.length > maxSecretBytes) {
    throw new ShareError(
      'too_large',
      `The content has ${packed.secret.length} bytes; a share holds at most ${maxSecretBytes}.`,
    );
  }
  if (bytesOf(packed.metadata).length > maxMetadataBytes) {
    throw new ShareError(
      'too_large',
      'The names of the files are too long for one share; put them into an archive.',
    );
  }
  return packed;
}

/** Unpacks the plaintext of a share. Other clients may have written it: text if it is UTF-8, otherwise one file. */
export function unpackContent({
  secret,
  metadata,
}: DecryptedShare): { kind: 'text'; text: string } | { kind: 'files'; files: OpenedFile[] } {
  const described = metadata === null ? undefined : describedFiles(metadata);
  const total = described?.reduce((sum, { size }) => sum + size, 0);
  if (described !== undefined && total === secret.bytes.length) {
    let end = 0;
    const files = described.map(({ name, type, size }) => {
      const start = end;
      end += size;
      return { name: safeFileName(name), type, bytes: secret.bytes.slice(start, end) };
    });
    return { kind: 'files', files };
  }
  const text = textOf(secret);
  if (text !== undefined) return { kind: 'text', text };
  return { kind: 'files', files: [{ name: unknownName, type: unknownType, bytes: secret.bytes }] };
}

function packText(text: string): { secret: Uint8Array<ArrayBuffer>; metadata: string } {
  if (typeof text !== 'string') throw new ShareError('invalid_request', 'The text must be a string.');
  return { secret: bytesOf(text), metadata: JSON.stringify({ v: 1 }) };
}

function packFiles(files: Extract<ShareContent, { files: unknown }>['files']) {
  if (files.length === 0) throw new ShareError('invalid_request', 'There is no file to share.');
  const secret = new Uint8Array(files.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let end = 0;
  const described = files.map(({ name, type, bytes }) => {
    secret.set(bytes, end);
    end += bytes.length;
    return { name, type: type || unknownType, size: bytes.length };
  });
  return { secret, metadata: JSON.stringify({ v: 1, files: described }) };
}

/** The files that metadata describe; undefined for those of a text, and of another form. */
function describedFiles(metadata: Plaintext): { name: string; type: string; size: number }[] | undefined {
  const value = parsed(metadata);
  if (value.v !== 1 || !Array.isArray(value.files) || value.files.length === 0) return undefined;
  // Of another type than the format says, a value may not even be convertible: {"toString":1}.
  const files = value.files.map(fieldsOf).map(({ name, type, size }) => ({
    name: textOr('', name),
    type: mediaType(textOr('', type)),
    size: Number.isSafeInteger(size) ? Number(size) : -1,
  }));
  return files.every(({ size }) => size >= 0) ? files : undefined;
}

/** The sender's text may become a header or an attribute: only a media type passes (RFC 6838 section 4.2). */
function mediaType(type: string): string {
  return /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/i.test(type) ? type : unknownType;
}

const textOr = (fallback: string, value: unknown) => (typeof value === 'string' ? value : fallback);

function textOf(plaintext: Plaintext): string | undefined {
  try {
    return plaintext.text();
  } catch {
    return undefined;
  }
}

function parsed(plaintext: Plaintext) {
  try {
    return fieldsOf(JSON.parse(plaintext.text()));
  } catch {
    return {};
  }
}
