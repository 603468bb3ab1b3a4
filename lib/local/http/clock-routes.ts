import * as z from 'zod/mini';
import { ClockError, type LocalClock } from '../clock.ts';
import type { StillRunning } from '../webhooks/still-running.ts';
import { parseJson, readBody } from './body.ts';
import { allows, type LocalRoutes, sendError, sendJson } from './local-response.ts';

const maxBodyBytes = 4 * 1024;

/** One of the two fields, and no other. */
const Move = z.union([
  z.strictObject({ advanceSeconds: z.number().check(z.gte(0)) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
]);
const moveShape =
  'Send either { "advanceSeconds": 3600 }, zero or more, or { "now": "2030-01-31T12:00:00Z" }, no earlier than the clock.';

/**
 * - `GET /_local/clock`: `{ now, stillRunning }`, `now` in ISO 8601
 * - `POST /_local/clock` `{ advanceSeconds }` or `{ now }`: moves the clock forward, and responds with the same once
 *   everything that was due on the way is done, but for what is still running
 */
export function clockRoutes(clock: LocalClock, stillRunning: () => StillRunning[]): LocalRoutes {
  return async (request, response, { pathname }) => {
    if (pathname !== '/_local/clock') return false;
    if (!allows(request, response, 'GET', 'POST')) return true;
    if (request.method === 'POST') {
      const body = await readBody(request, maxBodyBytes);
      const move = Move.safeParse(parseJson(body));
      if (!move.success) {
        sendError(response, 'invalid_request', { message: moveShape });
        return true;
      }
      try {
        if ('now' in move.data) await clock.advanceTo(Date.parse(move.data.now));
        else await clock.advanceBy(move.data.advanceSeconds * 1000);
      } catch (error) {
        if (!(error instanceof ClockError)) throw error;
        sendError(response, 'invalid_request', { message: error.message });
        return true;
      }
    }
    sendJson(response, 200, { now: new Date(clock.nowMs()).toISOString(), stillRunning: stillRunning() });
    return true;
  };
}
