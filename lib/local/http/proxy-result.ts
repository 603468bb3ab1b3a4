import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod/mini';
import { maxResultBytes } from '../../../functions/shared/contract/route.ts';
import { acceptsBinary } from '../../deployment/gateway/binary-types.ts';

export interface RawResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** The result of a handler is malformed: API Gateway responds with 502. */
export class MalformedProxyResult extends Error {}

const HeaderValue = z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String));

const Result = z.strictObject({
  statusCode: z.int().check(z.gte(200), z.lte(599)),
  headers: z.nullish(z.record(z.string(), HeaderValue)),
  multiValueHeaders: z.nullish(z.record(z.string(), z.array(HeaderValue))),
  body: z.nullish(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
});

/**
 * The response that API Gateway sends for a handler's result. The result passes through JSON, as between Lambda and API
 * Gateway.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-output-format
 *
 * @param accept the `Accept` header of the request: it decides whether Base64 is decoded.
 * @throws MalformedProxyResult with the reason as its message.
 */
export function toRawResponse(result: unknown, accept: string | undefined): RawResponse {
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = asResult(result);
  return {
    status: statusCode,
    headers: sentHeaders({ ...headers, ...multiValueHeaders }),
    body: Buffer.from(body ?? '', isBase64Encoded && acceptsBinary(accept) ? 'base64' : 'utf8'),
  };
}

function asResult(result: unknown): z.output<typeof Result> {
  let text: string | undefined;
  try {
    text = JSON.stringify(result);
  } catch {
    throw new MalformedProxyResult('the result is not JSON');
  }
  if (text === undefined) throw new MalformedProxyResult('there is no result');
  if (Buffer.byteLength(text) > maxResultBytes) throw new MalformedProxyResult('the result is over 6 MB');
  const parsed = Result.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new MalformedProxyResult(z.prettifyError(parsed.error));
}

/** Headers that the server sets itself, from what it sends. */
const ownHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** Names in lower case: a header of both `headers` and `multiValueHeaders` is sent once. */
function sentHeaders(all: Readonly<Record<string, string | string[]>>): RawResponse['headers'] {
  for (const [name, value] of Object.entries(all)) {
    try {
      validateHeaderName(name);
      for (const one of [value].flat()) validateHeaderValue(name, one);
    } catch {
      throw new MalformedProxyResult(`the header ${name} cannot be sent`);
    }
  }
  const lower = Object.entries(all).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(lower.filter(([name]) => !ownHeaders.has(name)));
}
