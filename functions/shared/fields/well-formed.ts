import * as z from 'zod/mini';

export const malformedText = 'must be well-formed Unicode';

/** A lone surrogate has no UTF-8 encoding: DynamoDB refuses it, and in a key all lone surrogates would be equal. */
export const wellFormed = z.refine<string>((text) => text.isWellFormed(), malformedText);
