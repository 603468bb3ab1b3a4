import * as z from 'zod/mini';

export const IdPath = z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) });
