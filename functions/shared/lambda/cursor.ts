import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';

/** The position after a page: the sort key of its last record, as the list encodes it. */
export type Position = Readonly<Record<string, string>>;

const Position = z.record(z.string(), z.string());

/**
 * Encodes an opaque `nextCursor`.
 *
 * It contains no partition key: that follows from the caller, so that a cursor cannot lead to another tenant's
 * records. The checksum over the scope makes a cursor that was altered or belongs to another list an error
 * instead of a wrong page. It has no key: a caller can compute it. That yields nothing, because a position is only a place
 * in a list that the caller may read, and {@link readCursor} checks the form of every position. A key would cost a request to
 * Secrets Manager at each cold start of a list.
 *
 * @param scope identifies the list: the route, the application, the user, the filters.
 */
export function encodeCursor(scope: readonly string[], position: Position): string {
  const text = JSON.stringify(position);
  return Buffer.from(checksum(scope, text) + text).toString('base64url');
}

/** Decodes a cursor; undefined when this list did not issue it. */
export function decodeCursor(scope: readonly string[], cursor: string): Position | undefined {
  const decoded = Buffer.from(cursor, 'base64url');
  // Decoding ignores invalid characters, so only the exact text that was issued is accepted.
  if (decoded.toString('base64url') !== cursor) return undefined;
  const content = decoded.toString();
  const text = content.slice(checksumLength);
  if (checksum(scope, text) !== content.slice(0, checksumLength)) return undefined;
  return positionIn(text);
}

function positionIn(text: string): Position | undefined {
  try {
    return Position.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Reads the position after which a page starts; undefined for the first page.
 *
 * @param forms the fields of the position, each with a check of its form. A cursor can be forged, so what passes must be safe
 * to query with.
 * @throws ApiError `invalid_request` when the list did not issue the cursor, or a field does not have its form.
 */
export function readCursor<Field extends string>(
  scope: readonly string[],
  cursor: string | undefined,
  forms: Readonly<Record<Field, (text: string) => boolean>>,
): Readonly<Record<Field, string>> | undefined {
  if (cursor === undefined) return undefined;
  const position = decodeCursor(scope, cursor);
  for (const [field, hasForm] of Object.entries<(text: string) => boolean>(forms)) {
    const text = position?.[field];
    if (text === undefined || !hasForm(text))
      throw new ApiError('invalid_request', { details: { cursor: 'is not one that this list gave' } });
  }
  return position as Readonly<Record<Field, string>>;
}

/** Whether the text of a position is a number of records or of a revision: up to nine digits. */
export const isCount = (text: string): boolean => /^\d{1,9}$/.test(text);

/** A sort key has 1,024 bytes at most, and a list may append a character. */
const maxPlaceBytes = 1_023;

/**
 * Whether the text of a position is a place by time: an ISO time, a separator and the id of a record. A cursor can be forged, and
 * DynamoDB refuses a longer sort key.
 */
export const isPlaceWith =
  (separator: '#' | ' ') =>
  (text: string): boolean =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z.{2,513}$/su.test(text) &&
    text.isWellFormed() &&
    text['yyyy-mm-ddThh:mm:ss.sssZ'.length] === separator &&
    Buffer.byteLength(text) <= maxPlaceBytes;

const checksumLength = 16;

function checksum(scope: readonly string[], text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([...scope, text]))
    .digest('base64url')
    .slice(0, checksumLength);
}
