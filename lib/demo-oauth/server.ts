/** The web server of the demo client: a start page, the way to the consent page, and the callback. */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { listen } from '../local/listen.ts';
import type { Authorization } from './flow.ts';
import { foreignCallbackPage, frame } from './page.ts';

/** A server that waits for one callback. */
export interface ClientServer {
  readonly port: number;
  close(): Promise<void>;
}

type Shown = Parameters<typeof frame.render>[0];

/** The handler of each address. */
export interface ClientPages {
  start(): Shown;
  /** A new authorization request. */
  authorize(): Promise<Authorization>;
  /** The callback of a request that this browser began. Called once for each request. */
  callback(authorization: Authorization, url: URL): Promise<Shown>;
}

const cookieName = 'demo-state';

/**
 * Starts the server on the loopback interface.
 *
 * @param callbackPath the path of the redirect URI.
 * @throws Error with the code EADDRINUSE when the port is taken.
 */
export async function startClientServer(
  port: number,
  callbackPath: string,
  pages: ClientPages,
): Promise<ClientServer> {
  const pending = new Map<string, Authorization>();

  const handle: RequestListener = async ({ method, url: target = '/', headers }, response) => {
    const url = new URL(target, `http://${headers.host ?? 'localhost'}`);
    if (method !== 'GET') return send(response, 405, foreignCallbackPage);
    switch (url.pathname) {
      case '/':
        return send(response, 200, pages.start());
      case '/start': {
        const authorization = await pages.authorize();
        pending.set(authorization.state, authorization);
        // Binds the state to this browser: a callback that another one receives is not for it.
        response.setHeader(
          'set-cookie',
          `${cookieName}=${authorization.state}; Path=/; HttpOnly; SameSite=Lax`,
        );
        response.writeHead(303, { location: authorization.url.href, 'referrer-policy': 'no-referrer' }).end();
        return;
      }
      case callbackPath: {
        const state = url.searchParams.get('state') ?? '';
        const authorization = pending.get(state);
        const isOwn = (headers.cookie ?? '').split(/; */).includes(`${cookieName}=${state}`);
        if (authorization === undefined || !isOwn) return send(response, 400, foreignCallbackPage);
        pending.delete(state);
        return send(response, 200, await pages.callback(authorization, url));
      }
      default:
        return send(response, 404, { title: 'Not found', content: pages.start().content });
    }
  };

  const server = createServer((request, response) => {
    Promise.resolve(handle(request, response)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(reason);
    });
  });
  const { url, close } = await listen(server, port);
  return { port: Number(new URL(url).port), close };
}

function send(response: ServerResponse, status: number, page: Shown): void {
  response
    .writeHead(status, { ...frame.headers(), 'cache-control': 'no-store', connection: 'close' })
    .end(frame.render(page));
}
