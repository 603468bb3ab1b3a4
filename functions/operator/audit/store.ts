import * as keys from '../../shared/contract/keys.ts';
import { queryUpTo } from '../../shared/table/query.ts';
import { recordReader } from '../../shared/table/record.ts';
import type { StoredRecord } from './present.ts';

const readChangeRecord = recordReader<StoredRecord & { revision: number }>([
  'atMs',
  'action',
  'object',
  'revision',
]);

/** Audit records in the table. They are never changed and never removed. */
export const auditStore = {
  /**
   * Up to `limit` records of a user, application, subscription or operator key, the latest first.
   *
   * @param before only records of earlier revisions.
   */
  async list(audited: keys.AuditedId, limit: number, before?: number) {
    const startAfter = before === undefined ? undefined : { ...keys.audit(audited, before) };
    const partition = keys.auditPartition(audited);
    const records = await queryUpTo({ partition, descending: true, startAfter }, limit);
    return records.map(readChangeRecord);
  },
};
