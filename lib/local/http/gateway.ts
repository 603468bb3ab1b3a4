import type { IncomingMessage } from 'node:http';
import type { Registered } from '../../../functions/routes.ts';
import { acceptsHtml } from '../../../functions/shared/html/page.ts';
import { ownFileMethods, ownFiles } from '../../deployment/gateway/own-files.ts';
import {
  allowedMethods,
  hasCors,
  methodsOf,
  preflightHeaders,
  routesByPath,
} from '../../deployment/gateway/paths.ts';
import { unknownPathResponses } from '../../deployment/gateway/unknown-path.ts';
import { type Invoke, integrationTimeoutMs } from '../functions.ts';
import { withTimeLimit } from '../time-limit.ts';
import { readBody } from './body.ts';
import { commonHeaders, gatewayResponse, Refusal } from './gateway-response.ts';
import { MalformedEncoding, pathOf, toProxyEvent } from './proxy-event.ts';
import { MalformedProxyResult, type RawResponse, toRawResponse } from './proxy-result.ts';
import { type Destination, router } from './router.ts';

export interface GatewayOptions {
  registry: readonly Registered[];
  invoke: Invoke;
  nowMs: () => number;
  /** Origins whose pages may call; `['*']` allows all. */
  allowedOrigins: readonly string[];
  /** Receives the cause of a 502 or 504. */
  report: (requestId: string, cause: unknown) => void;
  timeoutMs?: number;
}

interface GatewayRequest {
  message: IncomingMessage;
  requestId: string;
  target: string;
  /** Tells a remote that waits for `100 Continue` to send its body. */
  expectBody: () => void;
}

/** Handles a request. `onResource` receives the resource as soon as it is known. */
export type Gateway = (
  request: GatewayRequest,
  onResource: (resource: string) => void,
) => Promise<RawResponse>;

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html */
const maxBodyBytes = 10 * 1024 * 1024;

/** API Gateway (REST) between a request and a function, with its limits and gateway responses. */
export function gateway(options: GatewayOptions): Gateway {
  const { registry, allowedOrigins, report } = options;
  const find = router(routesByPath(registry));

  return async (request, onResource) => {
    const { message, requestId, target } = request;
    try {
      const destination = find(pathOf(target));
      if (destination === undefined) return withoutResource(request, options);
      const { resource } = destination;
      onResource(resource);
      const entry = destination.entries.find(({ route }) => methodsOf(route).includes(message.method ?? ''));
      if (entry !== undefined) return await integrate(options, entry, destination, request);
      if (message.method !== 'OPTIONS' || !hasCors(resource, registry))
        throw new Refusal('method_not_allowed', {
          headers: { allow: allowedMethods(resource, registry).join(', ') },
        });
      const headers = preflightHeaders(resource, message.headers.origin, allowedOrigins, registry);
      return { status: 204, headers: { ...commonHeaders(requestId), ...headers }, body: Buffer.alloc(0) };
    } catch (error) {
      if (error instanceof MalformedEncoding)
        return gatewayResponse('invalid_request', requestId, allowedOrigins);
      if (!(error instanceof Refusal)) throw error;
      if (error.cause !== undefined) report(requestId, error.cause);
      return gatewayResponse(error.code, requestId, allowedOrigins, error.own.headers);
    }
  };
}

function withoutResource(
  { message, requestId, target }: GatewayRequest,
  { allowedOrigins }: GatewayOptions,
): RawResponse {
  const common = commonHeaders(requestId);
  const path = pathOf(target);
  const file = Object.hasOwn(ownFiles, path) ? ownFiles[path] : undefined;
  if (file !== undefined && ownFileMethods.some((one) => one === message.method))
    return { status: 200, headers: { ...common, 'content-type': file.type }, body: Buffer.from(file.text) };
  if (message.method !== 'GET') throw new Refusal('not_found');
  const { status, headers, json, page } = unknownPathResponses('', allowedOrigins);
  return acceptsHtml(message.headers.accept)
    ? { status, headers: { ...common, ...headers, ...page.headers }, body: Buffer.from(page.html) }
    : { status, headers: { ...common, ...headers }, body: Buffer.from(json) };
}

/** @throws MalformedEncoding, Refusal */
async function integrate(
  { invoke, nowMs, timeoutMs = integrationTimeoutMs }: GatewayOptions,
  entry: Registered,
  { resource, parameters: pathParameters }: Destination<readonly Registered[]>,
  { message, requestId, target, expectBody }: GatewayRequest,
): Promise<RawResponse> {
  const { socket, method = '', rawHeaders, headers } = message;
  // Read now: a closed connection no longer knows its peer.
  const peer = { peerAddress: socket.remoteAddress, port: socket.localPort ?? 0 };
  const tooLarge = new Refusal('payload_too_large');
  if (Number(headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge;
  expectBody();
  const body = await readBody(message, maxBodyBytes);
  if (body === undefined) throw tooLarge;
  const sent = { method, target, rawHeaders, body, ...peer };
  const event = toProxyEvent({ ...sent, resource, pathParameters, requestId, nowMs: nowMs() });
  const late = () => {
    const cause = new Error(`${entry.id} did not respond within ${timeoutMs} ms`);
    throw new Refusal('timeout', { cause });
  };
  try {
    return toRawResponse(await withTimeLimit(timeoutMs, invoke(entry, event), late), headers.accept);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const cause = error instanceof MalformedProxyResult ? new Error(`${entry.id}: ${error.message}`) : error;
    throw new Refusal('bad_gateway', { cause });
  }
}
