import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, type GatewayErrorCode, gatewayErrors } from '../../functions/shared/errors.ts';
import { alwaysHeaders, jsonType } from '../../functions/shared/headers.ts';

/** Answers a `/_local` request with JSON. */
export function replyJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': jsonType, ...alwaysHeaders })
    .end(`${JSON.stringify(body, null, 2)}\n`);
}

/** Answers a `/_local` request with a page that loads nothing and runs no script. */
export function replyPage(response: ServerResponse, html: string): void {
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'";
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      ...alwaysHeaders,
    })
    .end(html);
}

/** Refuses a `/_local` request in the shape of every error. */
export function replyError(response: ServerResponse, code: GatewayErrorCode, message?: string): void {
  const row = gatewayErrors[code];
  replyJson(response, row.status, errorBody(message === undefined ? row : { ...row, message }));
}

/** Whether the method is one of those; if not, the request is answered with 405 and `Allow`. */
export function allows(request: IncomingMessage, response: ServerResponse, ...methods: string[]): boolean {
  if (methods.includes(request.method ?? '')) return true;
  response.setHeader('allow', methods.join(', '));
  replyError(response, 'method_not_allowed');
  return false;
}
