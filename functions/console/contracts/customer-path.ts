/** The path of the page of a subscription, and of its forms. */
import * as z from 'zod/mini';
import { ApplicationPath } from './console-route.ts';

export const customerPath = '/console/customers/{applicationId}/{subscriptionId}';

export const CustomerPath = z.object({
  ...ApplicationPath.shape,
  subscriptionId: z
    .string()
    .check(z.minLength(1), z.maxLength(128), z.meta({ description: 'The id of the subscription.' })),
});
