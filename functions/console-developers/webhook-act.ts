import { filled } from '../console/pages/path.ts';
import { type Answer, done, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import type { Input } from '../shared/contract/route.ts';
import { route } from './contracts/webhook-act.ts';
import { webhookActs } from './webhook/acts.ts';

/** Carries out an act on a webhook. A form that is sent again does nothing more. */
export async function actOnWebhook(
  { params, body }: Input<typeof route>,
  { operator }: Visit,
): Promise<Answer> {
  const notice = await webhookActs[body.action]({ ...params, operator, body });
  return done(filled(route.path, params), notice);
}

export const handler = consoleEndpoint(route, 'support', actOnWebhook);
