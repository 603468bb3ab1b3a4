/** The revision of a record, by which a change says what its caller saw. */
import * as z from 'zod/mini';
import { ApiError } from '../contract/errors.ts';
import { described } from './described.ts';

/** Of a record in a response. */
export const revision = z
  .int()
  .check(described('Counts the changes. A change may name the one that it is of.'));

/** Of the body of a change. */
export const seenRevision = z.optional(
  z
    .int()
    .check(
      z.gte(0),
      described(
        'The `revision` that you saw. When another change came first, nothing is changed: 409. Default: any.',
      ),
    ),
);

/** @throws ApiError `conflict` when the record is not as the caller saw it. */
export function requireRevision(current: number | undefined, seen: number | undefined): void {
  if (seen !== undefined && current !== seen) throw new ApiError('conflict');
}
