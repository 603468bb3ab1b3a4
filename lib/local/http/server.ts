import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { errorBody, gatewayErrors } from '../../../functions/shared/contract/errors.ts';
import { drain, RemoteClosed } from './body.ts';
import { type GatewayOptions, gateway } from './gateway.ts';
import { gatewayResponse, jsonResponse, serializeResponse } from './gateway-response.ts';
import type { LocalRoutes } from './local-routes.ts';
import { namesOwnHost } from './own-host.ts';
import { pathOf } from './proxy-event.ts';
import type { RawResponse } from './proxy-result.ts';
import { withTimeBar } from './time-bar.ts';

export interface HttpOptions extends GatewayOptions {
  /** The routes below `/_local`, tried in this order. */
  local: readonly LocalRoutes[];
  /** The address under which a proxy reaches the stack, where there is one. */
  publicUrl?: string | undefined;
  /** Receives one line per request: method, resource, status, milliseconds. Never the query, which can hold secrets. */
  log: (line: string) => void;
}

/** The limit of API Gateway for request line and headers together, in bytes. */
const maxHeaderBytes = 10_240;
/** Longer than common HTTP clients keep an idle connection: closing it first would cost them a failed request. */
const keepAliveMs = 65_000;

/** The HTTP server of the local stack, not yet listening: the API behind the gateway, and `/_local`. */
export function httpServer(options: HttpOptions): Server {
  const handleApi = gateway(options);
  const { allowedOrigins, local, log, nowMs, publicUrl, report } = options;

  async function serve(message: IncomingMessage, response: ServerResponse, waitsToSend: boolean) {
    const requestId = randomUUID();
    const target = originForm(message.url ?? '');
    const startedMs = performance.now();
    let resource = pathOf(target);
    response.once('close', () => {
      const outcome = response.writableFinished ? response.statusCode : 'client gone';
      const line = `${message.method} ${printable(resource)} ${outcome} ${Math.round(performance.now() - startedMs)} ms`;
      log(line);
    });
    // The date of a response follows the clock that its content follows.
    response.sendDate = false;
    response.setHeader('date', new Date(nowMs()).toUTCString());
    const expectBody = () => {
      if (waitsToSend) response.writeContinue();
    };
    try {
      if (!namesOwnHost(message, publicUrl)) {
        const port = message.socket.localPort;
        const text = `This host is unknown. Open http://localhost:${port}, or set PUBLIC_URL to the address that you use.`;
        const row = { ...gatewayErrors.forbidden, message: text };
        return await send(jsonResponse(row.status, errorBody(row), requestId));
      }
      if (resource === '/_local' || resource.startsWith('/_local/')) {
        response.setHeader('x-request-id', requestId);
        if (isCrossSite(message)) return await send(gatewayResponse('forbidden', requestId, []));
        expectBody();
        if (await respondLocally(message, response, target)) return;
        return await send(gatewayResponse('not_found', requestId, []));
      }
      const request = { message, requestId, target, expectBody };
      await send(
        await handleApi(request, (known) => {
          resource = known;
        }),
      );
    } catch (error) {
      if (error instanceof RemoteClosed) return;
      report(requestId, error);
      if (response.headersSent) message.socket.destroy();
      else await send(gatewayResponse('server_error', requestId, allowedOrigins));
    }

    async function send(sent: RawResponse): Promise<void> {
      if (response.destroyed) return;
      const { status, headers, body } = withTimeBar(sent, nowMs());
      const unread = !message.complete;
      response.writeHead(status, {
        ...headers,
        ...defined({
          'content-length': status === 204 || status === 304 ? undefined : body.length,
          connection: unread ? 'close' : undefined,
        }),
      });
      response.write(body);
      if (unread) await drain(message);
      response.end();
    }
  }

  async function respondLocally(message: IncomingMessage, response: ServerResponse, target: string) {
    const url = new URL(`http://localhost${target}`);
    for (const routes of local) if (await routes(message, response, url)) return true;
    return false;
  }

  const server = createServer({ maxHeaderSize: maxHeaderBytes, keepAliveTimeout: keepAliveMs });
  server.on('request', (message, response) => void serve(message, response, false));
  server.on('checkContinue', (message, response) => void serve(message, response, true));
  server.on('checkExpectation', (message, response) => void serve(message, response, false));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : gatewayErrors.invalid_request.status;
    socket.end(
      serializeResponse(jsonResponse(status, errorBody(gatewayErrors.invalid_request), randomUUID())),
    );
    // The remote may still be sending. The rest is not read.
    setTimeout(() => socket.destroy(), 500).unref();
  });
  return server;
}

/** The path and query of a request target. Proxies send the absolute form: `GET http://localhost:3000/docs`. */
function originForm(target: string): string {
  const absolute = /^https?:\/\/[^/?]*(.*)$/i.exec(target)?.[1];
  if (absolute === undefined) return target;
  return absolute.startsWith('/') ? absolute : `/${absolute}`;
}

/** Whether a page of another site sent the request, which must not move the clock. Browsers name that site in `Origin`. */
function isCrossSite({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD' || headers.origin === undefined) return false;
  return !URL.canParse(headers.origin) || new URL(headers.origin).host !== headers.host;
}

/** A path without characters that could move the terminal's cursor or start another line. */
function printable(path: string): string {
  return path
    .slice(0, 200)
    .replaceAll(/[^!-~]/g, (character) => encodeURIComponent(character.toWellFormed()));
}
