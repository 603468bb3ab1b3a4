import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { routesByPath } from '../../../../lib/deployment/gateway/paths.ts';
import { router } from '../../../../lib/local/http/router.ts';
import { type Listening, listen } from '../../../../lib/local/listen.ts';
import { type Call, call } from '../../../support/call.ts';

/** A request as it arrived, and how it was answered. */
interface Arrived {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
  status?: number;
}

/** The fault on the way: the answer is lost after the service has worked, or something else answers. */
type Fault = 'answer lost' | { status: number; body: string; headers?: Record<string, string> } | undefined;

/** The real handlers over HTTP on 127.0.0.1. Each request comes from an address of its own, so that none is limited. */
export interface HandlerServer extends Listening {
  /** The requests since the last call, in order. */
  taken(): Arrived[];
  /** Decides for each request what happens to it. */
  fault: (arrived: Arrived) => Fault;
}

export async function startHandlers(): Promise<HandlerServer> {
  const arrivals: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const arrived = await arrivedFrom(request);
    arrivals.push(arrived);
    const fault = started.fault(arrived);
    const answer = typeof fault === 'object' ? fault : await answerTo(arrived);
    arrived.status = answer.status;
    if (fault === 'answer lost') return request.socket.destroy();
    const headers = Object.assign({ 'content-type': 'application/json' }, answer.headers);
    return response.writeHead(answer.status, headers).end(answer.body);
  });
  const { url, close } = await listen(server, 0);
  const started: HandlerServer = { url, close, taken: () => arrivals.splice(0), fault: () => undefined };
  return started;
}

async function arrivedFrom(request: IncomingMessage): Promise<Arrived> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers as Record<string, string>,
    body: await text(request),
  };
}

const destinationOf = router(routesByPath());

async function answerTo({ method, path, query, headers, body }: Arrived) {
  if (path === '/_local/mailbox') {
    const mails = await fetch(`${process.env.TEST_MAILBOX_URL}?${new URLSearchParams(query)}`, {
      headers: { accept: 'application/json' },
    });
    return { status: mails.status, body: await mails.text() };
  }
  const { resource, entries = [], parameters = {} } = destinationOf(path) ?? {};
  const entry = entries.find(({ route }) => route.method === method && route.path === resource);
  if (entry === undefined) return { status: 404, body: '{"message":"Not Found"}' };
  const sent: Call = { headers, query, params: parameters };
  if (method === 'POST') sent.body = body;
  const answer = await call(entry.id, sent);
  return { status: answer.status, body: answer.text, headers: answer.headers };
}
