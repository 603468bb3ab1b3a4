/**
 * Loaded with `--import` into every Node.js process of a run under another date, the workers and the programs that tests
 * start included: its clock runs like the system clock, ahead or behind.
 */

import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';

const offsetMs = Number(process.env.TEST_CLOCK_OFFSET_MS);
if (!Number.isSafeInteger(offsetMs)) throw new Error('TEST_CLOCK_OFFSET_MS is no number of milliseconds.');

const systemNowMs = Date.now;
const nowMs = () => systemNowMs() + offsetMs;
// Tests replace `now` and all of `Date`, as they do with those of Node.js.
Date.now = nowMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [nowMs()] : args, newTarget),
  apply: (target) => new target(nowMs()).toString(),
});

// Node.js writes the header by a clock of its own. The AWS SDK compares it with this one.
subscribe('http.server.request.start', (message) => {
  (message as { response: ServerResponse }).response.setHeader('date', new Date().toUTCString());
});
