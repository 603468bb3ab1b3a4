import { randomBytes, randomUUID } from 'node:crypto';
import { registeredRoutes } from '../../../functions/routes.ts';
import { createClient, type VouchsafeClient } from '../../client/api.ts';
import type { Invoke } from '../functions.ts';
import { toProxyEvent } from '../http/proxy-event.ts';
import { router } from '../http/router.ts';
import type { State } from '../state.ts';

/** The parts of the local stack that demo data is created with. */
export interface DemoOptions {
  state: State;
  invoke: Invoke;
  /** The newest mail to an address. */
  newestMail: (address: string) => { subject: string } | undefined;
  nowMs: () => number;
  /** The address at which the receiver of webhooks takes the deliveries of a name, verified with a secret. */
  webhookReceiver: (name: string, secret?: string) => string;
  /** Base URL of the DynamoDB engine. */
  endpoint: string;
  tableName: string;
}

/**
 * A random network of the block reserved for documentation (2001:db8::/32, RFC 3849). Rate limits count by /64, so calls
 * from such addresses count against no real caller, and not against each other, however often the stack starts.
 */
function documentationAddress(): string {
  const [a, b] = randomBytes(4).toString('hex').match(/..../g) as [string, string];
  return `2001:db8:${a}:${b}::1`;
}

const destinationOf = router(registeredRoutes());

/**
 * The API without a server: each request is one call of a handler, from an address that no rate limit has counted.
 *
 * @throws Error by its methods when the response is not a success.
 */
export function demoClient({ invoke, nowMs }: DemoOptions, key?: string): VouchsafeClient {
  const handled = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const { resource = '', entries = [], parameters = {} } = destinationOf(pathname) ?? {};
    const entry = entries.find(({ route }) => route.method === request.method);
    if (entry === undefined) throw new Error(`There is no route ${request.method} ${pathname}`);
    const event = toProxyEvent({
      method: request.method,
      target: pathname + search,
      rawHeaders: [...request.headers].flat(),
      body: Buffer.from(await request.arrayBuffer()),
      peerAddress: documentationAddress(),
      port: 443,
      resource,
      pathParameters: parameters,
      requestId: randomUUID(),
      nowMs: nowMs(),
    });
    const { statusCode, body } = (await invoke(entry, event)) as { statusCode: number; body: string };
    return new Response(body, { status: statusCode });
  };
  return createClient({ url: 'http://localhost', key, maxTries: 1, fetch: handled });
}
