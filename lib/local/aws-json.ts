import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import * as z from 'zod/mini';
import { isEqualInConstantTime } from '../../functions/shared/runtime/constant-time.ts';
import { parseJson, readBody } from './http/body.ts';

/**
 * Whether a request is signed with the access key of this process. The stack makes the key for each start and gives it to the
 * functions by the environment alone: nobody else can name it, so that the signature itself is not verified. With a profile of
 * the caller's in place of a key, the key is not known here, and any signed request is let in.
 */
export function isSignedHere({ headers }: IncomingMessage): boolean {
  const [, key] = /^AWS4-HMAC-SHA256 Credential=(\w+)\//.exec(headers.authorization ?? '') ?? [];
  return key !== undefined && isEqualInConstantTime(key, process.env.AWS_ACCESS_KEY_ID ?? key);
}

/** A refused call. The SDK turns it into an exception with the code as its name. */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
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
        if (error instanceof ServiceError) send(error.status, { __type: error.code, message: error.message });
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
