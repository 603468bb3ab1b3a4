import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { encodeCursor, isPlaceWith, readCursor } from '../shared/lambda/cursor.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { mailListRoute } from './contracts/mails.ts';
import { mailIdOf } from './mails/mail-id.ts';
import { mailStatus } from './mails/mail-status.ts';
import { undeliveredMailStore } from './mails/store.ts';

const cursorScopes = { given_up: ['given-up-mails'], held: ['held-mails'] };
const defaultLimit = 50;

/** Lists the mails that were given up, the longest given up first, or those that are held, the first due first. */
export const listMails: Handler<typeof mailListRoute> = async ({
  query: { limit = defaultLimit, cursor, status = 'given_up' },
}) => {
  const position = readCursor(cursorScopes[status], cursor, { startAfter: isPlaceWith(' ') });
  // One beyond the limit shows whether there are more.
  const places = await undeliveredMailStore.list(position?.startAfter, limit + 1, status);
  const page = places.slice(0, limit);
  const last = places.length > limit ? page.at(-1) : undefined;
  const nowMs = clock.nowMs();
  const entries = page.length === 0 ? [] : await undeliveredMailStore.read(page);
  return {
    mails: entries.flatMap((entry) => {
      const outcome = mailStatus(entry, nowMs);
      if (outcome.status !== status) return [];
      const { applicationId, subscriptionId, createdAtMs, attempts, possibleCopies } = entry;
      const kind = entry.kind === 'mail' ? entry.template : entry.kind;
      const createdAt = isoTime(createdAtMs);
      const ids = { _id: mailIdOf(entry), applicationId, subscriptionId };
      return [{ ...ids, kind, createdAt, attempts, possibleCopies, ...outcome }];
    }),
    ...defined({ nextCursor: last && encodeCursor(cursorScopes[status], { startAfter: last.dueAt }) }),
  };
};

export const handler = endpoint(mailListRoute, listMails, operatorCaller);
