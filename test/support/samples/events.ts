import { bearer, type Call, newTenant } from '../call.ts';
import { listedEvents } from '../webhooks/events.ts';

/** A call of an application with an event. */
async function withEvent(request: (id: string) => Call = () => ({})): Promise<Call> {
  const { applicationId, apiKey } = await newTenant();
  const [id = ''] = await listedEvents(applicationId, [['payment.received']]);
  return { headers: bearer(apiKey), ...request(id) };
}

export const eventSamples: Record<string, () => Call | Promise<Call>> = {
  'webhooks.event-list': () => withEvent(),
  'webhooks.event-read': () => withEvent((id) => ({ params: { id } })),
};
