/** The paths of the pages of an application and of a webhook, and of their forms. */
import * as z from 'zod/mini';
import { ApplicationPath, hidden } from '../../console/contracts/console-route.ts';

export const listPath = '/console/developers';
export const applicationPath = '/console/developers/{applicationId}';
export const webhookPath = '/console/developers/{applicationId}/webhooks/{webhookId}';

export const WebhookPath = z.object({
  ...ApplicationPath.shape,
  webhookId: hidden('The id of the webhook.'),
});
