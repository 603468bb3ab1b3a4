import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  errorBody,
  type GatewayErrorCode,
  gatewayErrors,
} from '../../../functions/shared/contract/errors.ts';
import { alwaysHeaders, jsonType } from '../../../functions/shared/contract/headers.ts';
import { clock } from '../../../functions/shared/runtime/clock.ts';
import { withTimeBar } from './time-bar.ts';

/** Responds to a `/_local` request and returns true; returns false when the path belongs to other routes. */
export type LocalRoutes = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>;

/** Responds with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': jsonType, ...alwaysHeaders })
    .end(`${JSON.stringify(body, null, 2)}\n`);
}

/** The policy of a page that loads nothing and runs no script. */
const plainPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

/** Responds with a page, on which the time of the stack is. */
export function sendPage(response: ServerResponse, html: string, policy = plainPolicy): void {
  const page = {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      // A form of the page names the page as its origin; with no-referrer, it would name none.
      'referrer-policy': 'same-origin',
      ...alwaysHeaders,
    },
    body: Buffer.from(html),
  };
  const { status, headers, body } = withTimeBar(page, clock.nowMs());
  response.writeHead(status, headers).end(body);
}

/** Responds with an error in the common shape, optionally with its own message or details. */
export function sendError(
  response: ServerResponse,
  code: GatewayErrorCode,
  { details, ...own }: { message?: string; details?: Record<string, unknown> } = {},
): void {
  const row = { ...gatewayErrors[code], ...own };
  sendJson(response, row.status, errorBody(row, details));
}

/** Whether the method is one of these. If not, responds with 405 and `Allow`. */
export function allows(request: IncomingMessage, response: ServerResponse, ...methods: string[]): boolean {
  if (methods.includes(request.method ?? '')) return true;
  response.setHeader('allow', methods.join(', '));
  sendError(response, 'method_not_allowed');
  return false;
}
