import type { IncomingMessage } from 'node:http';
import type { Registered } from '../../../functions/routes.ts';
import type { GatewayErrorCode } from '../../../functions/shared/contract/errors.ts';
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
import { commonHeaders, gatewayResponse } from './gateway-response.ts';
import { MalformedEncoding, pathOf, toProxyEvent } from './proxy-event.ts';
import { MalformedProxyResult, type RawResponse, toRawResponse } from './proxy-result.ts';
import { type Destination, router } from './router.ts';

export interface GatewayOptions {
  registry: readonly Registered[];
  invoke: Invoke;
  /** Epoch milliseconds. */
  nowMs: () => number;
  /** Origins whose pages may call; `['*']` allows all. */
  allowedOrigins: readonly string[];
  /** Receives the cause of a 502 or 504. */
  report: (requestId: string, cause: unknown) => void;
  timeoutMs?: number;
}

/** A request at the gateway. */
interface GatewayRequest {
  message: IncomingMessage;
  requestId: string;
  /** Path and query as sent. */
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
    const method = message.method ?? '';
    const refuse = (code: GatewayErrorCode, headers?: Record<string, string>) =>
      gatewayResponse(code, requestId, allowedOrigins, headers);
    try {
      const path = pathOf(target);
      const destination = find(path);
      if (destination === undefined) {
        const file = Object.hasOwn(ownFiles, path) ? ownFiles[path] : undefined;
        if (file !== undefined && ownFileMethods.some((one) => one === method))
          return {
            status: 200,
            headers: { ...commonHeaders(requestId), 'content-type': file.type },
            body: Buffer.from(file.text),
          };
        return method === 'GET' ? unknownPathResponse(request, options) : refuse('not_found');
      }
      const { resource } = destination;
      onResource(resource);

      const entry = destination.entries.find(({ route }) => methodsOf(route).includes(method));
      if (entry === undefined) {
        if (method === 'OPTIONS' && hasCors(resource, registry)) return preflight(request, resource, options);
        return refuse('method_not_allowed', { allow: allowedMethods(resource, registry).join(', ') });
      }
      // Read now: a closed connection no longer knows its peer.
      const peer = { peerAddress: message.socket.remoteAddress, port: message.socket.localPort ?? 0 };
      if (Number(message.headers['content-length'] ?? 0) > maxBodyBytes) return refuse('payload_too_large');
      request.expectBody();
      const body = await readBody(message, maxBodyBytes);
      if (body === undefined) return refuse('payload_too_large');
      return await integrate(options, entry, destination, { ...request, ...peer, method, body });
    } catch (error) {
      if (error instanceof MalformedEncoding) return refuse('invalid_request');
      if (error instanceof IntegrationFailure) {
        report(requestId, error.cause);
        return refuse(error.code);
      }
      throw error;
    }
  };
}

function unknownPathResponse(
  { message, requestId }: GatewayRequest,
  { allowedOrigins }: GatewayOptions,
): RawResponse {
  const { status, headers, json, page } = unknownPathResponses('', allowedOrigins);
  const common = { ...commonHeaders(requestId), ...headers };
  return acceptsHtml(message.headers.accept)
    ? { status, headers: { ...common, ...page.headers }, body: Buffer.from(page.html) }
    : { status, headers: common, body: Buffer.from(json) };
}

function preflight(
  { message, requestId }: GatewayRequest,
  resource: string,
  { allowedOrigins, registry }: GatewayOptions,
): RawResponse {
  const headers = preflightHeaders(resource, message.headers.origin, allowedOrigins, registry);
  return { status: 204, headers: { ...commonHeaders(requestId), ...headers }, body: Buffer.alloc(0) };
}

class IntegrationFailure extends Error {
  readonly code: 'bad_gateway' | 'timeout';

  constructor(code: 'bad_gateway' | 'timeout', cause: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** @throws MalformedEncoding, IntegrationFailure */
async function integrate(
  { invoke, nowMs, timeoutMs = integrationTimeoutMs }: GatewayOptions,
  entry: Registered,
  { resource, parameters }: Destination<readonly Registered[]>,
  request: GatewayRequest & { method: string; body: Buffer; peerAddress: string | undefined; port: number },
): Promise<RawResponse> {
  const { message, ...rest } = request;
  const { rawHeaders } = message;
  const event = toProxyEvent({ ...rest, rawHeaders, resource, pathParameters: parameters, nowMs: nowMs() });
  try {
    return toRawResponse(
      await withTimeLimit(timeoutMs, invoke(entry, event), () => {
        throw new IntegrationFailure(
          'timeout',
          new Error(`${entry.id} did not respond within ${timeoutMs} ms`),
        );
      }),
      message.headers.accept,
    );
  } catch (error) {
    if (error instanceof IntegrationFailure) throw error;
    const cause = error instanceof MalformedProxyResult ? new Error(`${entry.id}: ${error.message}`) : error;
    throw new IntegrationFailure('bad_gateway', cause);
  }
}
