import { type Answered, type Call, call, type Tenant } from '../../../../support/call.ts';
import { asOwner } from '../../../../support/samples/webhooks.ts';

type Operation = 'read' | 'update' | 'remove' | 'rotate' | 'test';

/** Calls an operation on a webhook with the API key of its owner. */
export function act(owner: Tenant, what: Operation, id: string, more: Call = {}): Promise<Answered> {
  const headers = { ...asOwner(owner), ...more.headers };
  return call(`webhooks.webhook-${what}`, { ...more, headers, params: { id } });
}
