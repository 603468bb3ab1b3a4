import { auditListDays } from '../../shared/contract/audit.ts';
import { indexedPage } from '../../shared/lists/indexed-list.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { clock, isoTime } from '../../shared/runtime/clock.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import { auditPartitions } from './partitions.ts';
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
