/** Requests of payment pages, payment reports and billing pages, apart from the others: their functions carry no other schema. */
import * as z from 'zod/mini';

export const SubscriptionPath = z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) });
export const CheckoutPath = z.object({ token: z.string().check(z.minLength(1), z.maxLength(128)) });
export const WebhookPath = z.object({ applicationId: z.string().check(z.minLength(1), z.maxLength(128)) });
export const CheckoutAction = z.object({ action: z.enum(['pay', 'decline', 'cancel', 'reverse']) });
export const RawBody = z.object({ raw: z.string() });
export const StripeHeaders = z.object({ 'stripe-signature': z.optional(z.string()) });
export const AcceptHeaders = z.object({ accept: z.optional(z.string()) });
