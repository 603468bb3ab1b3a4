import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { type Call, handlerOf, proxyEvent, read, registered } from '../../support/call.ts';
import type { Case } from './case.ts';

/** Prepares a case. Each call of the result sends the same request, and fails unless the status is the expected one. */
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
    const response = await handler(proxyEvent(entry, request));
    if (![status, again].includes(response.statusCode))
      throw new Error(`${id} (${what}) answered ${read(response).text}`);
    return response.body;
  };
}

/** Puts the secrets of the request into the cache of the functions. */
async function remember(request: Call | undefined): Promise<void> {
  const secrets = JSON.stringify(request ?? {}).match(/\bv[a-z]{2}_[\w-]{22,64}/g) ?? [];
  const kinds = ['client_secret', 'access_token', 'operator_key', 'api_key'] as const;
  for (const secret of secrets) for (const kind of kinds) await findSecret(kind, secret, Date.now());
}
