import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { acceptsHtml } from '../../../functions/shared/html/page.ts';
import { minuteMs } from '../../../functions/shared/runtime/duration.ts';
import { readBody } from '../http/body.ts';
import { localPagePolicy } from '../http/local-page.ts';
import { inTime, readOrder } from '../http/local-request.ts';
import { allows, type LocalRoutes, sendError, sendJson, sendPage } from '../http/local-response.ts';
import type { WebhookCatcher } from './catcher.ts';
import { deliveryPage, listPage } from './page.ts';
import type { StillRunning } from './still-running.ts';

export const webhooksPath = '/_local/webhooks';

/** How many deliveries the page shows; the JSON has all of them. */
const pageDeliveries = 100;
/** An event is at most an item of the table. */
const maxBodyBytes = 1024 * 1024;
const maxDelayMs = minuteMs;
const namePattern = /^[\w.-]{1,100}$/;

const SecretOrder = z.object({ secret: z.string().check(z.maxLength(200)) });

const BehaviourOrder = z.object({
  status: z._default(z.int().check(z.gte(200), z.lte(599)), 204),
  delayMs: z._default(z.int().check(z.gte(0), z.lte(maxDelayMs)), 0),
  headers: z._default(
    z.record(
      z.string().check(z.regex(/^[\w-]{1,50}$/)),
      z.string().check(z.maxLength(500), z.regex(/^[\x20-\x7e]*$/)),
    ),
    {},
  ),
  times: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
});

/**
 * The receiver of webhooks for people and tests:
 *
 * - `POST /_local/webhooks/<name>`: takes a delivery. Any name is a receiver
 * - `POST /_local/webhooks/<name>/secret` `{ secret }`: verifies the deliveries of the name from now on
 * - `POST /_local/webhooks/<name>/behaviour` `{ status, delayMs, headers, times }`: answers the next deliveries so; without
 *   `times` all of them, with 0 as usual again
 * - `GET /_local/webhooks`, `GET /_local/webhooks/<name>`: `{ deliveries }`, newest first; a page where the caller accepts
 *   HTML
 * - `GET /_local/webhooks/<name>/<n>`: one delivery
 *
 * @param options.settled resolves when background work is done, so that a list includes what earlier requests caused.
 * @param options.stillRunning the deliveries that background work does not wait for. The page shows them.
 */
export function webhookRoutes(
  catcher: WebhookCatcher,
  {
    settled = async () => {},
    stillRunning = () => [],
  }: { settled?: () => Promise<void>; stillRunning?: () => StillRunning[] } = {},
): LocalRoutes {
  return async (request, response, url) => {
    if (url.pathname !== webhooksPath && !url.pathname.startsWith(`${webhooksPath}/`)) return false;
    const [name = '', what, ...rest] = url.pathname.slice(webhooksPath.length + 1).split('/');
    const isList = name === '' && what === undefined;
    if ((!isList && !namePattern.test(name)) || rest.length > 0) {
      sendError(response, 'not_found');
    } else if (what === 'secret' || what === 'behaviour') {
      if (allows(request, response, 'POST')) await orders[what](catcher, name, request, response);
    } else if (what !== undefined) {
      if (allows(request, response, 'GET', 'HEAD')) showOne(catcher, request, response, { name, n: what });
    } else if (!isList && request.method === 'POST') {
      await take(catcher, name, request, response);
    } else if (allows(request, response, 'GET', 'HEAD', ...(isList ? [] : ['POST']))) {
      await inTime(settled());
      showList(catcher, request, response, { name, stillRunning: stillRunning() });
    }
    return true;
  };
}

async function take(
  catcher: WebhookCatcher,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, maxBodyBytes);
  if (body === undefined) return sendError(response, 'payload_too_large');
  const sent = Object.entries(request.headers).map(([header, value]) => [header, String(value)]);
  const { status, delayMs, headers } = catcher.take(name, {
    headers: Object.fromEntries(sent),
    body: body.toString(),
  });
  if (delayMs > 0) await sleep(delayMs);
  if (!response.destroyed) response.writeHead(status, { ...headers }).end();
}

const orders = {
  secret: async (
    catcher: WebhookCatcher,
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const details = { secret: 'whsec_ and Base64, as the response that created the webhook has it' };
    const order = await readOrder(request, response, SecretOrder, details);
    if (order === undefined) return;
    try {
      catcher.setSecret(name, order.secret);
    } catch {
      return sendError(response, 'invalid_request', { details });
    }
    sendJson(response, 200, { name });
  },
  behaviour: async (
    catcher: WebhookCatcher,
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const order = await readOrder(request, response, BehaviourOrder, {
      status: '200 to 599, 204 by default',
      delayMs: `0 to ${maxDelayMs}, in real time`,
      headers: 'names and printable values, such as { "retry-after": "120" }',
      times: 'how many of the next deliveries are answered so; all of them by default',
    });
    if (order === undefined) return;
    const { times, ...behaviour } = order;
    catcher.behave(name, behaviour, times);
    sendJson(response, 200, order);
  },
};

function showList(
  catcher: WebhookCatcher,
  request: IncomingMessage,
  response: ServerResponse,
  { name, stillRunning }: { name: string; stillRunning: StillRunning[] },
): void {
  const filter = name === '' ? {} : { name };
  response.setHeader('vary', 'accept');
  if (acceptsHtml(request.headers.accept)) {
    const caught = catcher.list({ ...filter, limit: pageDeliveries + 1 });
    const more = caught.length > pageDeliveries;
    const page = listPage(caught.slice(0, pageDeliveries), { name, more, stillRunning });
    sendPage(response, page, localPagePolicy);
  } else {
    sendJson(response, 200, { deliveries: catcher.list(filter) });
  }
}

function showOne(
  catcher: WebhookCatcher,
  request: IncomingMessage,
  response: ServerResponse,
  { name, n }: { name: string; n: string },
): void {
  const caught = /^[1-9]\d{0,8}$/.test(n) ? catcher.read(name, Number(n)) : undefined;
  response.setHeader('vary', 'accept');
  if (caught === undefined) sendError(response, 'not_found');
  else if (acceptsHtml(request.headers.accept)) sendPage(response, deliveryPage(caught), localPagePolicy);
  else sendJson(response, 200, caught);
}
