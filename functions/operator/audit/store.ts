import type { AuditRecord } from '../../shared/contract/audit.ts';
import type { AuditedId } from '../../shared/contract/keys.ts';
import * as keys from '../../shared/contract/keys.ts';
import { queryUpTo } from '../../shared/table/query.ts';
import { recordReader } from '../../shared/table/record.ts';

const readAuditRecord = recordReader<AuditRecord>(['atMs']);

/** Audit records in the table. They are never changed and never removed. */
export const auditStore = {
  /**
   * Up to `limit` records of a user, application or operator key, the latest first.
   *
   * @param before only records of earlier revisions.
   */
  async list(audited: AuditedId, limit: number, before?: number): Promise<AuditRecord[]> {
    const startAfter = before === undefined ? undefined : { ...keys.audit(audited, before) };
    const partition = keys.auditPartition(audited);
    const records = await queryUpTo({ partition, descending: true, startAfter }, limit);
    return records.map(readAuditRecord);
  },
};
