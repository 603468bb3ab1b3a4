import * as z from 'zod/mini';

export const field = (description: string, maxLength = 256) =>
  z.optional(z.string().check(z.maxLength(maxLength), z.meta({ description })));
