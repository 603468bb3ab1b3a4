import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { mailRedriveAllRoute } from './contracts/mails.ts';
import { undeliveredMailStore } from './mails/store.ts';

/** Mails of one request: their writes end well within the function's timeout. */
const maxMails = 500;
const concurrency = 10;

/** Makes the mails that were given up due again, the longest given up first. */
export const redriveAllMails: Handler<typeof mailRedriveAllRoute> = async ({ caller }) => {
  const places = await undeliveredMailStore.list(undefined, maxMails + 1);
  let redriven = 0;
  // One iterator: each worker takes the next entry.
  const queue = places.slice(0, maxMails).values();
  const workers = Array.from({ length: concurrency }, async () => {
    for (const place of queue)
      if ((await undeliveredMailStore.redrive(place, clock.nowMs(), caller)) === 'now') redriven += 1;
  });
  await Promise.all(workers);
  return { redriven, hasMore: places.length > maxMails };
};

export const handler = endpoint(mailRedriveAllRoute, redriveAllMails, operatorCaller);
