import * as z from 'zod/mini';

export const BillingPath = z.object({
  token: z
    .string()
    .check(z.minLength(1), z.maxLength(128), z.meta({ description: 'The token of the billing link.' })),
});
