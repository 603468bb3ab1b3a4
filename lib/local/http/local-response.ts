import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  errorBody,
  type GatewayErrorCode,
  gatewayErrors,
} from '../../../functions/shared/contract/errors.ts';
import { alwaysHeaders, jsonType } from '../../../functions/shared/contract/headers.ts';

/** Answers a `/_local` request and says true, or leaves it alone and says false when the path is another's. */
export type LocalRoutes = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>;

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': jsonType, ...alwaysHeaders })
    .end(`${JSON.stringify(body, null, 2)}\n`);
}

/** A page that loads nothing and runs no script. */
const plainPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

/** Answers with a page. */
export function sendPage(response: ServerResponse, html: string, policy = plainPolicy): void {
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      ...alwaysHeaders,
    })
    .end(html);
}

/** Refuses in the shape of every error, with a message or details of its own. */
export function sendError(
  response: ServerResponse,
  code: GatewayErrorCode,
  { details, ...own }: { message?: string; details?: Record<string, unknown> } = {},
): void {
  const row = { ...gatewayErrors[code], ...own };
  sendJson(response, row.status, errorBody(row, details));
}

/** Whether the method is one of those; if not, the request is answered with 405 and `Allow`. */
export function allows(request: IncomingMessage, response: ServerResponse, ...methods: string[]): boolean {
  if (methods.includes(request.method ?? '')) return true;
  response.setHeader('allow', methods.join(', '));
  sendError(response, 'method_not_allowed');
  return false;
}
