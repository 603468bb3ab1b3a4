/** The paths of the pages of an application and of a webhook, and of their forms. */
import * as z from 'zod/mini';
import { ApplicationPath } from '../../console/contracts/console-route.ts';

export const listPath = '/console/developers';
export const applicationPath = '/console/developers/{applicationId}';
export const webhookPath = '/console/developers/{applicationId}/webhooks/{webhookId}';

export const WebhookPath = z.object({
  ...ApplicationPath.shape,
  webhookId: z
    .string()
    .check(z.minLength(1), z.maxLength(128), z.meta({ description: 'The id of the webhook.' })),
});
