import * as z from 'zod/mini';
import { described } from './described.ts';
import { lineField, notBlank } from './text.ts';

/** Why an operator does something, in their words. */
export const Reason = lineField(500).check(notBlank);

/** Of a command whose body has no reason. A header has ASCII alone, so that other characters are percent-encoded. */
export const reasonHeader = 'x-reason';

export const ReasonHeaders = z.object({
  [reasonHeader]: z.optional(
    z
      .string()
      .check(
        described(
          'With an operator key: why, for the audit record. One line of at most 500 characters, as percent-encoded UTF-8.',
          'Asked%20for%20by%20phone.',
        ),
      ),
  ),
});
