import * as z from 'zod/mini';

/** The value of `Idempotency-Key`: opaque, used verbatim, quotes included. */
export const IdempotencyKey = z.string().check(
  z.refine((text) => /^[\x21-\x7e]{1,255}$/.test(text), 'must be 1 to 255 visible ASCII characters'),
  z.meta({ description: 'Requests with the same key are executed once within 24 hours.' }),
);
export const IdempotencyHeaders = z.object({ 'idempotency-key': z.optional(IdempotencyKey) });
