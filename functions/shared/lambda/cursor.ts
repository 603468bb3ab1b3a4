import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';

/**
 * The position after a page: the sort key of its last record, as the list encodes it.
 */
export type Position = Readonly<Record<string, string>>;

const Position = z.record(z.string(), z.string());

/**
 * Encodes an opaque `nextCursor`.
 *
 * It contains no partition key: that follows from the caller, so that a cursor cannot lead to another tenant's
 * records. The checksum over the scope makes a cursor that was altered or belongs to another list an error
 * instead of a wrong page. It has no key: a caller can compute it, so lists check the form of every position.
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

/** The error for a cursor that this list did not issue. */
export function invalidCursor(): ApiError {
  return new ApiError('invalid_request', { details: { cursor: 'is not one that this list gave' } });
}

const checksumLength = 16;

function checksum(scope: readonly string[], text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([...scope, text]))
    .digest('base64url')
    .slice(0, checksumLength);
}
