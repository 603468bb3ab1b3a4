import * as z from 'zod/mini';

export const CheckoutPath = z.object({ token: z.string().check(z.minLength(1), z.maxLength(128)) });
