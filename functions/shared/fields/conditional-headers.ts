import * as z from 'zod/mini';

/** The header of a request whose response a cache may have. RFC 9110 section 13.1.2. */
export const ConditionalHeaders = z.object({
  'if-none-match': z
    .optional(z.string())
    .check(
      z.describe('The `ETag` of a copy. While the copy is current, the response is 304 without a body.'),
    ),
});
