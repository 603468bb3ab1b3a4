import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { encodeCursor, isPlaceWith, readCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isoTime, optionalIsoTime } from '../shared/runtime/clock.ts';
import { route } from './contracts/mail-list.ts';
import { mailIdOf } from './mails/mail-id.ts';
import { undeliveredMailStore } from './mails/store.ts';

const cursorScopes = { given_up: ['given-up-mails'], held: ['held-mails'] };
const defaultLimit = 50;

/** Lists the mails that were given up, the longest given up first, or those that are held, the first due first. */
export async function listMails({
  query: { limit = defaultLimit, cursor, state = 'given_up' },
}: Input<typeof route>): Promise<Output<typeof route>> {
  const position = readCursor(cursorScopes[state], cursor, { startAfter: isPlaceWith(' ') });
  // One beyond the limit shows whether there are more.
  const places = await undeliveredMailStore.list(position?.startAfter, limit + 1, state);
  const page = places.slice(0, limit);
  const last = places.length > limit ? page.at(-1) : undefined;
  const entries = page.length === 0 ? [] : await undeliveredMailStore.read(page, state);
  return {
    mails: entries.map((entry) => ({
      _id: mailIdOf(entry),
      applicationId: entry.applicationId,
      subscriptionId: entry.subscriptionId,
      kind: entry.template ?? entry.kind,
      createdAt: isoTime(entry.createdAtMs),
      ...(state === 'held'
        ? defined({ heldUntil: optionalIsoTime(entry.heldUntilMs), heldBy: entry.heldBy })
        : defined({ givenUpAt: optionalIsoTime(entry.givenUpAtMs), failure: entry.failure })),
      attempts: entry.attempts,
      possibleCopies: entry.possibleCopies,
    })),
    ...defined({ nextCursor: last && encodeCursor(cursorScopes[state], { startAfter: last.dueAt }) }),
  };
}

export const handler = endpoint(route, listMails, operatorCaller);
