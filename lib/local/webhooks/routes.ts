import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { minuteMs } from '../../../functions/shared/runtime/clock.ts';
import { Refusal } from '../http/gateway-response.ts';
import { shownRecords } from '../http/local-page.ts';
import {
  bodyOf,
  inTime,
  json,
  type LocalRequest,
  type LocalRoutes,
  localRoutes,
  pageOrJson,
  readOrder,
} from '../http/local-routes.ts';
import type { StillRunning, WebhookCatcher } from './catcher.ts';
import { deliveriesPage, deliveryPage } from './page.ts';

/** An event is at most an item of the table. */
const maxBodyBytes = 1024 * 1024;
const maxDelayMs = minuteMs;

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

function nameOf({ parameters: { name = '' } }: LocalRequest): string {
  if (!/^[\w.-]{1,100}$/.test(name)) throw new Refusal('not_found');
  return name;
}

/**
 * The receiver of webhooks for people and tests.
 *
 * @param settled resolves when background work is done, so that a list includes what earlier requests caused.
 * @param stillRunning the deliveries that background work does not wait for. The page shows them.
 */
export function webhookRoutes(
  catcher: WebhookCatcher,
  settled: () => Promise<void>,
  stillRunning: () => StillRunning[],
): LocalRoutes {
  const list = async (name: string) => {
    await inTime(settled());
    return pageOrJson(
      () => deliveriesPage(catcher.list(name, shownRecords + 1), name, stillRunning()),
      () => ({ deliveries: catcher.list(name) }),
    );
  };
  return localRoutes({
    'GET /_local/webhooks': () => list(''),
    'GET /_local/webhooks/{name}': (request) => list(nameOf(request)),
    'POST /_local/webhooks/{name}': (request) => take(catcher, request),
    'GET /_local/webhooks/{name}/{n}': (request) => {
      const own = catcher.list(nameOf(request));
      const caught = own.find(({ n }) => String(n) === request.parameters.n);
      if (caught === undefined) throw new Refusal('not_found');
      return pageOrJson(
        () => deliveryPage(caught),
        () => caught,
      );
    },
    'POST /_local/webhooks/{name}/secret': async (request) => {
      const name = nameOf(request);
      const details = { secret: 'whsec_ and Base64, as the response that created the webhook has it' };
      const { secret } = await readOrder(request, SecretOrder, details);
      try {
        catcher.setSecret(name, secret);
      } catch {
        throw new Refusal('invalid_request', { details });
      }
      return json({ name });
    },
    'POST /_local/webhooks/{name}/behaviour': async (request) => {
      const order = await readOrder(request, BehaviourOrder, {
        status: '200 to 599, 204 by default',
        delayMs: `0 to ${maxDelayMs}, in real time`,
        headers: 'names and printable values, such as { "retry-after": "120" }',
        times: 'how many of the next deliveries are answered so; all of them by default',
      });
      const { times, ...behaviour } = order;
      catcher.behave(nameOf(request), behaviour, times);
      return json(order);
    },
  });
}

async function take(catcher: WebhookCatcher, request: LocalRequest) {
  const name = nameOf(request);
  const body = await bodyOf(request, maxBodyBytes);
  const sent = Object.entries(request.message.headers).map(([header, value]) => [header, String(value)]);
  const { status, delayMs, headers } = catcher.take(name, { headers: Object.fromEntries(sent), body });
  if (delayMs > 0) await sleep(delayMs);
  return (response: ServerResponse) => {
    if (!response.destroyed) response.writeHead(status, { ...headers }).end();
  };
}
