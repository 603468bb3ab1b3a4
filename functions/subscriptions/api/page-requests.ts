/** Requests of payment pages, payment reports and billing pages, apart from the others: their functions carry no other schema. */
import * as z from 'zod/mini';

export const SubscriptionPath = z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) });
export const CheckoutPath = z.object({ token: z.string().check(z.minLength(1), z.maxLength(128)) });
export const AcceptHeaders = z.object({ accept: z.optional(z.string()) });
