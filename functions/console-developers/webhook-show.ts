import { filled } from '../console/pages/path.ts';
import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { applicationPath, webhookShowRoute } from './routes.ts';
import { webhookPage } from './webhook/page.ts';
import { readWebhookDetails } from './webhook/read.ts';

/** Shows a webhook with its deliveries, and the event of one of them. */
export async function showWebhook(
  { params, query }: Input<typeof webhookShowRoute>,
  visit: Visit,
): Promise<Answer> {
  const details = await readWebhookDetails(params, query, visit);
  if (details === undefined) throw new ApiError('not_found');
  const { application } = details;
  const crumbs = { [filled(applicationPath, application)]: application.name || application.applicationId };
  return show('Webhook', webhookPage(visit, details), { crumbs });
}

export const handler = consoleEndpoint(webhookShowRoute, 'support', showWebhook);
