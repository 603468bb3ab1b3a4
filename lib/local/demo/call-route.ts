import { randomUUID } from 'node:crypto';
import { registeredRoutes } from '../../../functions/routes.ts';
import type { Invoke } from '../functions.ts';
import { toProxyEvent } from '../http/proxy-event.ts';
import type { State } from '../state.ts';

/** What the demo data is made with, and remembered in. */
export interface DemoOptions {
  state: State;
  invoke: Invoke;
  /** The newest mail to an address. */
  newestMail: (address: string) => { subject: string } | undefined;
  nowMs: () => number;
  /** Of the engine. */
  endpoint: string;
  tableName: string;
}

interface DemoCall {
  /** The `{name}` segments of the path. */
  params?: Record<string, string>;
  body: unknown;
  headers?: Record<string, string>;
}

let calls = 0;

/**
 * Calls a route's handler as somebody else: from the addresses that are set aside for documentation
 * (192.0.2.0/24, RFC 5737), one after the other, so that nobody's rate limit is touched.
 *
 * @param id `shares.create`
 * @returns the answer's body.
 * @throws Error when it is refused.
 */
export async function callRoute<T>(
  { invoke, nowMs }: DemoOptions,
  id: string,
  { params = {}, body, headers = {} }: DemoCall,
): Promise<T> {
  const entry = registeredRoutes().find((one) => one.id === id);
  if (entry === undefined) throw new Error(`There is no route ${id}`);
  const { method, path } = entry.route;
  calls += 1;
  const event = toProxyEvent({
    method,
    target: path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? '')),
    rawHeaders: Object.entries({ 'Content-Type': 'application/json', ...headers }).flat(),
    body: Buffer.from(JSON.stringify(body)),
    peerAddress: `192.0.2.${((calls - 1) % 254) + 1}`,
    port: 443,
    resource: path,
    pathParameters: params,
    requestId: randomUUID(),
    nowMs: nowMs(),
  });
  const answer = (await invoke(entry, event)) as { statusCode: number; body: string };
  if (answer.statusCode >= 300) throw new Error(`${id} answered ${answer.statusCode}: ${answer.body}`);
  return JSON.parse(answer.body);
}
