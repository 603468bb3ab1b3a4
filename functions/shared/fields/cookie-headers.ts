import * as z from 'zod/mini';

export const CookieHeaders = z.object({ cookie: z.optional(z.string()) });
