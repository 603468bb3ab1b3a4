import type { Authorship } from '../../shared/contract/audit.ts';
import type { Columns } from '../../shared/lists/csv.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { recordReader } from '../../shared/table/record.ts';
import type { AuditRecordResponse } from './schemas.ts';

export type StoredRecord = Authorship & Omit<AuditRecordResponse, 'at' | 'by'>;

export const readAuditRecord = recordReader<StoredRecord>(['atMs', 'action', 'object']);

export function toAuditResponse(record: StoredRecord): AuditRecordResponse {
  const { atMs, keyId: id, name, from, ...action } = record;
  return {
    ...action,
    at: isoTime(atMs),
    by: id === undefined ? { kind: 'user' } : { kind: 'operator', id, name, from },
  };
}

const operatorOf = ({ by }: AuditRecordResponse) => (by.kind === 'operator' ? by : undefined);
const json = (change: object | undefined) => change && JSON.stringify(change);

export const auditColumns: Columns<AuditRecordResponse> = {
  at: ({ at }) => at,
  action: ({ action }) => action,
  objectKind: ({ object: { kind } }) => kind,
  objectId: ({ object: { id } }) => id,
  applicationId: ({ object: { applicationId } }) => applicationId,
  keyId: (record) => operatorOf(record)?.id,
  person: (record) => operatorOf(record)?.name,
  from: (record) => operatorOf(record)?.from,
  reason: ({ reason }) => reason,
  revision: ({ revision }) => revision,
  before: ({ before }) => json(before),
  reset: ({ reset }) => json(reset),
  grant: ({ grant }) => json(grant),
  key: ({ key }) => json(key),
  operatorKey: ({ operatorKey }) => json(operatorKey),
};
