import { auditListDays } from '../../shared/contract/audit.ts';
import { indexedPage } from '../../shared/lists/indexed-list.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { clock, isoTime } from '../../shared/runtime/clock.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import type { ActListQuery, ActResponse } from './act-schema.ts';
import { auditMonths } from './months.ts';
import { readAct, toActResponse } from './present-act.ts';

/**
 * A page of everything that operators changed, newest first, for a year.
 *
 * @throws ApiError `invalid_request` when the cursor does not belong to this list, or the period ends before it begins.
 */
export function actPage(query: ActListQuery): Promise<ListPage<ActResponse>> {
  const { keyId, objectId, applicationId, act } = query;
  const nowMs = clock.nowMs();
  const wanted = Object.entries({ keyId, objectId, applicationId, act }).filter(
    ([, value]) => value !== undefined,
  );
  return indexedPage(
    {
      source: { scope: ['act'], groups: (from, to) => auditMonths(from, to, nowMs) },
      filters: [keyId, objectId, applicationId, act],
      earliest: isoTime(nowMs - auditListDays * dayMs),
      passes: (facts) => wanted.every(([name, value]) => facts[name] === value),
      read: readAct,
      toResponse: toActResponse,
    },
    query,
  );
}
