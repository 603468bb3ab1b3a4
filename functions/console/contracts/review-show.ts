import { ReviewPath } from '../../links/api/requests.ts';
import type { Grants } from '../../shared/contract/grants.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { definePage, recordErrors, sessionTable } from './console-route.ts';

/** Reads a link with all that its page shows, and claims it. */
export const reviewGrants = {
  table: {
    ...sessionTable,
    APP: ['GetItem'],
    HISTORY: ['Query'],
    LINK: ['GetItem', 'Query'],
    REVIEWCLAIM: ['BatchGetItem', 'UpdateItem'],
    USER: ['GetItem', 'Query'],
  },
  indexes: { byLink: [], byStatus: ['LINK'], queue: ['QUEUE'] },
} as const satisfies Grants;

export const route = definePage(
  {
    path: '/console/reviews/{linkId}',
    isUnsafe: true,
    summary: 'Shows a reviewer a link, its user and its history.',
    description:
      'For browsers. Opening a pending link claims it for ten minutes, unless another reviewer has claimed it. Opening it again extends the claim.',
    params: ReviewPath,
    errors: recordErrors,
    grants: reviewGrants,
  },
  { cursor: cursorField },
);
