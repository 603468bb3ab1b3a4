import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { encodeCursor, readCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { mailIdOf } from './mails/mail-id.ts';
import { givenUpMailStore, isPlace } from './mails/store.ts';
import { routes } from './routes.ts';

const listDeps = () => ({ mails: givenUpMailStore });
const cursorScope = ['given-up-mails'];
const defaultLimit = 50;

/** Lists the mails that were given up, the longest given up first. */
export async function listMails(
  { query: { limit = defaultLimit, cursor } }: Input<(typeof routes)['mail-list']>,
  { mails }: ReturnType<typeof listDeps>,
): Promise<Output<(typeof routes)['mail-list']>> {
  const position = readCursor(cursorScope, cursor, { startAfter: isPlace });
  // One beyond the limit shows whether there are more.
  const places = await mails.list(position?.startAfter, limit + 1);
  const page = places.slice(0, limit);
  const last = places.length > limit ? page.at(-1) : undefined;
  const entries = page.length === 0 ? [] : await mails.read(page);
  return {
    mails: entries.map((entry) => ({
      _id: mailIdOf(entry),
      applicationId: entry.applicationId,
      subscriptionId: entry.subscriptionId,
      kind: entry.template ?? entry.kind,
      createdAt: isoTime(entry.createdAtMs),
      givenUpAt: isoTime(entry.givenUpAtMs),
      attempts: entry.attempts,
      possibleCopies: entry.possibleCopies,
      failure: entry.failure,
    })),
    ...defined({ nextCursor: last && encodeCursor(cursorScope, { startAfter: last.dueAt }) }),
  };
}

export const handler = endpoint(routes['mail-list'], listMails, listDeps, operatorCaller);
