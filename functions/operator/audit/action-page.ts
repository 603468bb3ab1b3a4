import { auditListDays } from '../../shared/contract/audit.ts';
import * as keys from '../../shared/contract/keys.ts';
import { indexedPage } from '../../shared/lists/indexed-list.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { clock, dayMs, isoTime } from '../../shared/runtime/clock.ts';
import { isoMonth } from '../../shared/runtime/time-zone.ts';
import { readAuditRecord, toAuditResponse } from './present.ts';
import type { ActionListQuery, AuditRecordResponse } from './schemas.ts';

/**
 * A page of everything that operators changed, newest first, for a year.
 *
 * @throws ApiError `invalid_request` when the cursor does not belong to this list, or the period ends before it begins.
 */
export function actionPage(query: ActionListQuery): Promise<ListPage<AuditRecordResponse>> {
  const { keyId, objectId, applicationId, action } = query;
  const nowMs = clock.nowMs();
  const wanted = Object.entries({ keyId, objectId, applicationId, action }).filter(
    ([, value]) => value !== undefined,
  );
  return indexedPage(
    {
      source: { scope: ['action'], groups: (from, to) => auditPartitions(from, to, nowMs) },
      filters: [keyId, objectId, applicationId, action],
      earliest: isoTime(nowMs - auditListDays * dayMs),
      passes: (facts) => wanted.every(([name, value]) => facts[name] === value),
      read: readAuditRecord,
      toResponse: toAuditResponse,
    },
    query,
  );
}

/** The partitions of everything that operators did between two places, a month of UTC each, the latest first. None is later than now. */
function auditPartitions(from: string, to: string, nowMs: number): string[][] {
  const now = isoTime(nowMs);
  const last = monthNumber(to < now ? to : now);
  return Array.from({ length: Math.max(0, last - monthNumber(from) + 1) }, (_, i) => {
    const month = isoMonth(Date.UTC(1970, last - i - monthNumber('1970-01')));
    return [keys.auditListPartition(month)];
  });
}

const monthNumber = (place: string) => Number(place.slice(0, 4)) * 12 + Number(place.slice(5, 7)) - 1;
