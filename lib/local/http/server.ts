import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { errorBody, gatewayErrors } from '../../../functions/shared/contract/errors.ts';
import { namesOwnHost } from '../listen.ts';
import { drain, RemoteClosed } from './body.ts';
import { type Gateway, type GatewayOptions, gateway } from './gateway.ts';
import { gatewayResponse, jsonResponse, serializeResponse } from './gateway-response.ts';
import type { LocalRoutes } from './local-routes.ts';
import { pathOf } from './proxy-event.ts';
import type { RawResponse } from './proxy-result.ts';
import { withTimeBar } from './time-bar.ts';

export interface HttpOptions extends GatewayOptions {
  /** The routes below `/_local`, tried in this order. */
  local: readonly LocalRoutes[];
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
  const serve = (waitsToSend: boolean) => (message: IncomingMessage, response: ServerResponse) => {
    const expectBody = () => {
      if (waitsToSend) response.writeContinue();
    };
    const target = originForm(message.url ?? '');
    const received = { message, response, expectBody, target, requestId: randomUUID() };
    void respond(options, handleApi, received);
  };
  const server = createServer({ maxHeaderSize: maxHeaderBytes, keepAliveTimeout: keepAliveMs });
  server.on('request', serve(false));
  server.on('checkContinue', serve(true));
  server.on('checkExpectation', serve(false));
  server.on('clientError', refuseUnreadable);
  return server;
}

interface Received {
  message: IncomingMessage;
  response: ServerResponse;
  expectBody: () => void;
  /** Path and query. */
  target: string;
  requestId: string;
}

async function respond(options: HttpOptions, handleApi: Gateway, received: Received): Promise<void> {
  const { allowedOrigins, log, nowMs, report } = options;
  const { message, response, target, requestId } = received;
  const startedMs = performance.now();
  let resource = pathOf(target);
  response.once('close', () => {
    const outcome = response.writableFinished ? response.statusCode : 'client gone';
    log(
      `${message.method} ${printable(resource)} ${outcome} ${Math.round(performance.now() - startedMs)} ms`,
    );
  });
  // The date of a response follows the clock that its content follows.
  response.sendDate = false;
  response.setHeader('date', new Date(nowMs()).toUTCString());
  try {
    const own = await respondHere(options, received);
    if (own === 'responded') return;
    const answer =
      own ??
      (await handleApi(received, (known) => {
        resource = known;
      }));
    await send(received, answer, nowMs());
  } catch (error) {
    if (error instanceof RemoteClosed) return;
    report(requestId, error);
    if (response.headersSent) message.socket.destroy();
    else await send(received, gatewayResponse('server_error', requestId, allowedOrigins), nowMs());
  }
}

/** The response to a request that is not for the API; undefined for one that is. */
async function respondHere(
  { local, publicUrl }: HttpOptions,
  { message, response, expectBody, target, requestId }: Received,
): Promise<RawResponse | 'responded' | undefined> {
  if (!namesOwnHost(message, publicUrl)) {
    const port = message.socket.localPort;
    const text = `This host is unknown. Open http://localhost:${port}, or set PUBLIC_URL to the address that you use.`;
    const row = { ...gatewayErrors.forbidden, message: text };
    return jsonResponse(row.status, errorBody(row), requestId);
  }
  const path = pathOf(target);
  if (path !== '/_local' && !path.startsWith('/_local/')) return undefined;
  response.setHeader('x-request-id', requestId);
  if (isCrossSite(message)) return gatewayResponse('forbidden', requestId, []);
  expectBody();
  const url = new URL(`http://localhost${target}`);
  for (const routes of local) if (await routes(message, response, url)) return 'responded';
  return gatewayResponse('not_found', requestId, []);
}

async function send({ message, response }: Received, sent: RawResponse, nowMs: number): Promise<void> {
  if (response.destroyed) return;
  const { status, headers, body } = withTimeBar(sent, nowMs);
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

function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const row = gatewayErrors.invalid_request;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : row.status;
  socket.end(serializeResponse(jsonResponse(status, errorBody(row), randomUUID())));
  // The remote may still be sending. The rest is not read.
  setTimeout(() => socket.destroy(), 500).unref();
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
