import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { listen } from '../../lib/local/listen.ts';

/** How a runtime ended one invocation, or its start. */
export interface Outcome {
  readonly kind: 'response' | 'error' | 'init error';
  readonly body: string;
}

/** The runtime API for one invocation of one function. */
export interface RuntimeApi {
  /** For `AWS_LAMBDA_RUNTIME_API`: host and port. */
  readonly address: string;
  /** Settles when the runtime has reported. */
  readonly outcome: Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * Serves one event as Lambda does. A second request for an event stays open, as it does between two invocations.
 *
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 *
 * @param functionArn of the invoked function.
 * @param timeoutMs from now to the deadline of the invocation.
 */
export async function serveRuntimeApi(
  event: unknown,
  functionArn: string,
  timeoutMs: number,
): Promise<RuntimeApi> {
  const requestId = randomUUID();
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome>();
  let served = false;
  const server = createServer(async (request, response) => {
    const path = `${request.method} ${request.url?.replace('/2018-06-01/runtime', '')}`;
    if (path === 'GET /invocation/next') {
      if (served) return;
      served = true;
      response.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': requestId,
        'lambda-runtime-deadline-ms': String(Date.now() + timeoutMs),
        'lambda-runtime-invoked-function-arn': functionArn,
        'lambda-runtime-trace-id':
          'Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=0',
      });
      response.end(JSON.stringify(event));
      return;
    }
    const body = await textOf(request);
    const kinds: Readonly<Record<string, Outcome['kind']>> = {
      [`POST /invocation/${requestId}/response`]: 'response',
      [`POST /invocation/${requestId}/error`]: 'error',
      'POST /init/error': 'init error',
    };
    const kind = kinds[path];
    response.writeHead(kind === undefined ? 404 : 202, { 'content-type': 'application/json' });
    response.end('{"status":"OK"}');
    if (kind !== undefined) resolve({ kind, body });
  });
  const { url, close } = await listen(server, 0);
  return {
    address: new URL(url).host,
    outcome,
    close: async () => {
      server.closeAllConnections();
      await close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
