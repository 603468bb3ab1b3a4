import * as z from 'zod/mini';

/** What names a user in requests: opaque, taken as it is. */
export const UserId = z.string().check(
  z.minLength(1),
  z.maxLength(128),
  // Half a surrogate pair has no UTF-8: in a key it would be the same as any other half.
  z.refine((text) => text.isWellFormed(), 'must be well-formed Unicode'),
  z.meta({ description: 'Names the user; opaque.', examples: ['user-1'] }),
);
