import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import * as z from 'zod/mini';
import { parseJson, readBody } from './http/body.ts';
import { isSignedHere } from './own-signature.ts';

/** A refused call: HTTP 400 with this code. The SDK has an exception class for most codes. */
export class ServiceError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
  }
}

type Operations = Readonly<Record<string, (input: unknown) => object>>;

/** An operation that refuses an input which its schema does not allow. */
export function operation<S extends z.ZodMiniType>(
  schema: S,
  run: (input: z.output<S>) => object,
): Operations[string] {
  return (input) => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return run(parsed.data);
    throw new ServiceError('ValidationException', z.prettifyError(parsed.error));
  };
}

/** AWS accepts no body over 1 MB. */
const maxBodyBytes = 1024 * 1024;

/**
 * The local endpoint of an AWS service with the protocol AwsJson. Requests must be signed by this process.
 *
 * https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */
export function awsJsonEndpoint(operations: Operations): RequestListener {
  return (request, response) => {
    const send = (status: number, body: object) => {
      const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() };
      response.writeHead(status, headers).end(JSON.stringify(body));
    };
    respond(operations, request).then(
      (body) => send(200, body),
      (error: unknown) => {
        if (error instanceof ServiceError) send(400, { __type: error.code, message: error.message });
        else send(500, { __type: 'InternalServerException', message: String(error) });
      },
    );
  };
}

async function respond(operations: Operations, request: IncomingMessage): Promise<object> {
  const body = await readBody(request, maxBodyBytes);
  if (!isSignedHere(request))
    throw new ServiceError('UnrecognizedClientException', 'The request is not signed by the local stack.');
  const target = request.headers['x-amz-target'];
  const name = String(target).replace(/^\w+\./, '');
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined)
    throw new ServiceError('UnknownOperationException', `The local stack does not know '${target}'`);
  const input = parseJson(body);
  if (input === undefined)
    throw new ServiceError('SerializationException', 'The body is not JSON up to 1 MB');
  return operation(input);
}
