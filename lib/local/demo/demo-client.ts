import { randomBytes, randomUUID } from 'node:crypto';
import { createClient, type VouchsafeClient } from '../../client/api.ts';
import { routesByPath } from '../../deployment/gateway/paths.ts';
import type { Invoke } from '../functions.ts';
import { toProxyEvent } from '../http/proxy-event.ts';
import { toRawResponse } from '../http/proxy-result.ts';
import { router } from '../http/router.ts';
import type { State } from '../state.ts';
import type { LocalTable } from '../table.ts';

export interface DemoOptions {
  state: State;
  invoke: Invoke;
  newestMail: (address: string) => { id: string; subject: string } | undefined;
  nowMs: () => number;
  /** The address at which the receiver of webhooks takes the deliveries of a name, verified with a secret. */
  webhookReceiver: (name: string, secret?: string) => string;
  /** The address of the stack, as people open it. Links in mails begin with it. */
  origin: () => string;
  table: LocalTable;
}

/** The value stored under a name, if it still exists. Otherwise a new one, stored in its place. */
export async function storedOrCreated<T>(
  { state }: DemoOptions,
  name: string,
  make: () => Promise<T>,
  exists: (known: T) => Promise<boolean>,
): Promise<T> {
  const known = state.get<T>(name);
  if (known !== undefined && (await exists(known))) return known;
  const made = await make();
  state.set(name, made);
  return made;
}

/** The code of six digits in the mail that something causes; undefined when there is none. */
export async function codeMailed(
  { newestMail }: DemoOptions,
  to: string,
  cause: () => Promise<unknown>,
): Promise<string | undefined> {
  const before = newestMail(to)?.id;
  await cause();
  const mail = newestMail(to);
  return mail?.id === before ? undefined : /\b\d{6}\b/.exec(mail?.subject ?? '')?.[0];
}

/**
 * A random network of the block reserved for documentation (2001:db8::/32, RFC 3849). Rate limits count by /64, so calls
 * from such addresses count against no real caller, and not against each other, however often the stack starts.
 */
function documentationAddress(): string {
  const random = randomBytes(4).toString('hex');
  return `2001:db8:${random.slice(0, 4)}:${random.slice(4)}::1`;
}

const destinationOf = router(routesByPath());

/**
 * The API without a server: a request is one call of a handler. A redirect is not followed.
 *
 * @param from the address of the caller, by which rate limits count.
 */
export async function callHandler(
  { invoke, nowMs }: Pick<DemoOptions, 'invoke' | 'nowMs'>,
  request: Request,
  from: string,
): Promise<Response> {
  const { host, pathname, search } = new URL(request.url);
  const { resource = '', entries = [], parameters = {} } = destinationOf(pathname) ?? {};
  const entry = entries.find(({ route }) => route.method === request.method);
  if (entry === undefined) throw new Error(`There is no route ${request.method} ${pathname}`);
  const event = toProxyEvent({
    method: request.method,
    target: pathname + search,
    rawHeaders: ['host', host, ...[...request.headers].flat()],
    body: Buffer.from(await request.arrayBuffer()),
    peerAddress: from,
    port: 443,
    resource,
    pathParameters: parameters,
    requestId: randomUUID(),
    nowMs: nowMs(),
  });
  const { status, headers, body } = toRawResponse(await invoke(entry, event), undefined);
  const pairs = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new Response(Uint8Array.from(body), { status, headers: pairs });
}

/** The API without a server, from an address that no rate limit has counted. */
export function demoClient(options: DemoOptions, key?: string): VouchsafeClient {
  const handled = (request: Request) => callHandler(options, request, documentationAddress());
  return createClient({ url: options.origin(), key, maxTries: 1, fetch: handled });
}
