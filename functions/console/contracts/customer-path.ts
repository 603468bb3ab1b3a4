/** The path of the page of a subscription, and of its forms. */
import * as z from 'zod/mini';
import { ApplicationPath, hidden } from './console-route.ts';

export const customerPath = '/console/customers/{applicationId}/{subscriptionId}';

export const CustomerPath = z.object({
  ...ApplicationPath.shape,
  subscriptionId: hidden('The id of the subscription.'),
});
