import { randomBytes, randomUUID } from 'node:crypto';
import { registeredRoutes } from '../../../functions/routes.ts';
import type { Invoke } from '../functions.ts';
import { toProxyEvent } from '../http/proxy-event.ts';
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

interface DemoCall {
  /** The `{name}` segments of the path. */
  params?: Record<string, string>;
  body: unknown;
  headers?: Record<string, string>;
}

/**
 * A random network of the block reserved for documentation (2001:db8::/32, RFC 3849). Rate limits count by /64, so calls
 * from such addresses count against no real caller, and not against each other, however often the stack starts.
 */
function documentationAddress(): string {
  const [a, b] = randomBytes(4).toString('hex').match(/..../g) as [string, string];
  return `2001:db8:${a}:${b}::1`;
}

/**
 * Calls the handler of a route, from an address that no rate limit has counted.
 *
 * @param id such as `shares.create`.
 * @returns the body of the response.
 * @throws Error when the response is not a success.
 */
export async function callRoute<T>(
  { invoke, nowMs }: DemoOptions,
  id: string,
  { params = {}, body, headers = {} }: DemoCall,
): Promise<T> {
  const entry = registeredRoutes().find((one) => one.id === id);
  if (entry === undefined) throw new Error(`There is no route ${id}`);
  const { method, path } = entry.route;
  const event = toProxyEvent({
    method,
    target: path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? '')),
    rawHeaders: Object.entries({ 'Content-Type': 'application/json', ...headers }).flat(),
    body: Buffer.from(JSON.stringify(body)),
    peerAddress: documentationAddress(),
    port: 443,
    resource: path,
    pathParameters: params,
    requestId: randomUUID(),
    nowMs: nowMs(),
  });
  const result = (await invoke(entry, event)) as { statusCode: number; body: string };
  if (result.statusCode >= 300) throw new Error(`${id} responded with ${result.statusCode}: ${result.body}`);
  return JSON.parse(result.body);
}
