import { getUser, type User } from '../../shared/accounts/users.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError, found } from '../../shared/contract/errors.ts';
import type { Output } from '../../shared/contract/route.ts';
import { encodeCursor, isCount, readCursor } from '../../shared/lambda/cursor.ts';
import { fittingRecords, PageSize } from '../../shared/lambda/response-size.ts';
import type { PageRequest } from '../../shared/lists/list-page.ts';
import type { reviewReadRoute } from '../contracts/reviews.ts';
import { toAccountResponse } from '../social-accounts/social-account.ts';
import { accountStore } from '../social-accounts/store.ts';
import { type Submission, submissionEntry, submissionOf, toHistoryEntry } from '../trust-links/history.ts';
import { isLinkId, type Link, toLinkResponse } from '../trust-links/link.ts';
import { reviewStore } from '../trust-links/review-store.ts';

const defaultLimit = 400;
/** The part of a page for social accounts, which are not paged: no user has nearly that many. */
const maxAccountBytes = 1_000_000;

interface Read {
  review: Output<typeof reviewReadRoute>;
  /** The link as stored; undefined once it is removed. */
  link: Link | undefined;
  submission: Submission;
}

/**
 * Reads a link with its user, the user's social accounts, and a page of its history, the latest events first. The
 * history can also be read after the link was removed.
 *
 * @throws ApiError `not_found`; `invalid_request` for a cursor of another list.
 */
export async function readReview(
  linkId: string,
  { limit = defaultLimit, cursor }: PageRequest,
): Promise<Read> {
  if (!isLinkId(linkId)) throw new ApiError('not_found');
  const position = readCursor(cursorScope(linkId), cursor, { before: isCount });
  const before = position && Number(position.before);
  const link = await reviewStore.findLink(linkId);
  const readUser = (userId: string) => Promise.all([getUser(userId), accountStore.list(userId)]);
  // Read after the link, so that the history covers every change up to the state of the link. One event beyond the
  // limit shows whether there are more.
  const [events, latest, userOfLink] = await Promise.all([
    reviewStore.history(linkId, limit + 1, before),
    before === undefined ? undefined : reviewStore.history(linkId, 1),
    link && readUser(link.userId),
  ]);
  const removal = (latest ?? events).find(({ submission }) => submission !== undefined);
  const submission = found(removal?.submission ?? (link && submissionOf(link)));
  const [user, socialAccounts] = userOfLink ?? (await readUser(submission.userId));
  // The reviewer decides on this revision of the link, so later events are left out.
  const revision = removal?.revision ?? link?.revision ?? 1;
  const covered = events.filter((event) => event.revision <= revision);
  const entries = fittingRecords(covered.slice(0, limit).map(toHistoryEntry), new PageSize());
  const isLast = entries.length === covered.length && events.length <= limit;
  // All events of the page can be later than the link that was read.
  const earliest = entries.at(-1) ?? events.at(-1);
  const nextCursor =
    isLast || earliest === undefined
      ? undefined
      : encodeCursor(cursorScope(linkId), { before: String(earliest.revision) });
  const present = removal === undefined ? link : undefined;
  const review = {
    trustLink: present === undefined ? null : toLinkResponse(present),
    revision,
    user: user ? toUserResponse(user) : null,
    socialAccounts: fittingRecords(socialAccounts.map(toAccountResponse), new PageSize(maxAccountBytes)),
    history: [...(nextCursor === undefined ? [submissionEntry(submission)] : []), ...entries.toReversed()],
    ...defined({ nextCursor }),
  };
  return { review, link: present, submission };
}

const cursorScope = (linkId: string) => ['review', linkId];

function toUserResponse({ userId, email, name, status, verified }: User) {
  return {
    userId,
    email,
    ...defined({ name, status, verified }),
  };
}
