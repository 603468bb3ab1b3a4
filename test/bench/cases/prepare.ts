import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { type Call, handlerOf, proxyEvent, read, registered } from '../../support/call.ts';
import type { Case } from './case.ts';

/** A case made ready: each call asks for the same, and fails unless the answer is the one that is due. */
export async function prepared({
  id,
  what,
  ready,
  status,
  again,
  secret,
}: Case): Promise<() => Promise<string>> {
  const timer = registeredTimers().find((entry) => entry.id === id);
  const request = await ready();
  if (secret !== 'new') await remember(request);
  if (timer !== undefined) {
    const { handler } = await import(`../../../functions/${timer.service}/${timer.name}.ts`);
    return async () => String(await handler(request?.body));
  }
  const entry = registered(id);
  const handler = await handlerOf(entry);
  return async () => {
    const answer = await handler(proxyEvent(entry, request));
    if (![status, again].includes(answer.statusCode))
      throw new Error(`${id} (${what}) answered ${read(answer).text}`);
    return answer.body;
  };
}

/** The functions keep secrets that they have looked up for a while: from here on those of the request are known. */
async function remember(request: Call | undefined): Promise<void> {
  const secrets = JSON.stringify(request ?? {}).match(/\bv[a-z]{2}_[\w-]{22,64}/g) ?? [];
  const kinds = ['client_secret', 'access_token', 'operator_key', 'api_key'] as const;
  for (const secret of secrets) for (const kind of kinds) await findSecret(kind, secret, Date.now());
}
