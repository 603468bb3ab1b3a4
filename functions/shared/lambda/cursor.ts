import { createHash } from 'node:crypto';

/** Where a page of a list ended: what `ExclusiveStartKey` needs beside the partition, which the caller's own rights name. */
export type Position = Readonly<Record<string, string>>;

/**
 * An opaque `nextCursor`.
 *
 * It holds no partition key: that comes from who is asking, so a cursor leads nobody to a foreign record. A check
 * over the scope makes one that was altered, or that came from another list, an error instead of an odd page.
 *
 * @param scope what the list is of: the route, the application, the user, the filters.
 */
export function encodeCursor(scope: readonly string[], position: Position): string {
  const text = JSON.stringify(position);
  return Buffer.from(check(scope, text) + text).toString('base64url');
}

/** The position, or undefined when the cursor is not one that this list gave. */
export function decodeCursor(scope: readonly string[], cursor: string): Position | undefined {
  const decoded = Buffer.from(cursor, 'base64url');
  // Decoding forgives what it does not know; only the text that was given out is a cursor.
  if (decoded.toString('base64url') !== cursor) return undefined;
  const whole = decoded.toString();
  const text = whole.slice(checkLength);
  if (check(scope, text) !== whole.slice(0, checkLength)) return undefined;
  return JSON.parse(text);
}

const checkLength = 16;

function check(scope: readonly string[], text: string): string {
  return createHash('sha256')
    .update(JSON.stringify([...scope, text]))
    .digest('base64url')
    .slice(0, checkLength);
}
