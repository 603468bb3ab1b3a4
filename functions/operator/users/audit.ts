/** The audit records of a user as operators receive them. */
import type { output } from 'zod/mini';
import type { AuditRecord } from '../../shared/accounts/audit.ts';
import { defined } from '../../shared/contract/defined.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { UserHistory } from './schemas.ts';

/** An audit record as operators receive it. */
export function toHistoryEntry(record: AuditRecord): output<typeof UserHistory>['history'][number] {
  const { event, revision, atMs, keyId, reason, before, reset, grant } = record;
  return {
    event,
    revision,
    at: isoTime(atMs),
    by: keyId === undefined ? { kind: 'user' } : { kind: 'operator', id: keyId },
    ...defined({ reason, before, reset, grant }),
  };
}
