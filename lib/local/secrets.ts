import type { IncomingMessage, RequestListener } from 'node:http';
import { parseJson, readBody } from './http/body.ts';

const operation = 'secretsmanager.GetSecretValue';
const maxBodyBytes = 64 * 1024;

/**
 * The local endpoint of Secrets Manager, with the one operation that the functions use;
 * `AWS_ENDPOINT_URL_SECRETS_MANAGER` points to it. Requests must be signed, but signatures are not verified.
 *
 * Source: https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 *
 * @param secrets values by name.
 * @param groups values by name prefix: every secret with the prefix has this value.
 */
export function secretsEndpoint(
  secrets: Readonly<Record<string, string>>,
  groups: Readonly<Record<string, string>> = {},
): RequestListener {
  const find = (name: string): string | undefined => {
    if (Object.hasOwn(secrets, name)) return secrets[name];
    return Object.entries(groups).find(([prefix]) => name.startsWith(prefix) && name !== prefix)?.[1];
  };
  return async (request, response) => {
    const [status, body] = await respond(find, request).catch((error: unknown) => [
      500,
      { __type: 'InternalServiceError', message: String(error) },
    ]);
    response
      .writeHead(Number(status), { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify(body));
  };
}

async function respond(
  find: (name: string) => string | undefined,
  request: IncomingMessage,
): Promise<[status: number, body: object]> {
  const refused = (type: string, message: string): [number, object] => [400, { __type: type, message }];
  const body = parseJson(await readBody(request, maxBodyBytes));
  // A web page can post anywhere, but not with this header.
  if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) {
    return refused('MissingAuthenticationTokenException', 'The request is not signed.');
  }
  const target = request.headers['x-amz-target'];
  if (target !== operation) {
    return refused('UnknownOperationException', `The local stack knows ${operation}, not '${target}'.`);
  }
  const name = (body as { SecretId?: unknown } | undefined)?.SecretId;
  if (typeof name !== 'string') return refused('InvalidParameterException', 'SecretId is required.');
  const secret = find(name);
  if (secret === undefined) {
    return refused('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  return [
    200,
    {
      ARN: `arn:aws:secretsmanager:eu-west-1:000000000000:secret:${name}`,
      Name: name,
      SecretString: secret,
    },
  ];
}
