import * as z from 'zod/mini';

/** Half a surrogate pair has no UTF-8: the table refuses it, and in a key it would be the same as any other half. */
export const wellFormed = z.refine<string>((text) => text.isWellFormed(), 'must be well-formed Unicode');
