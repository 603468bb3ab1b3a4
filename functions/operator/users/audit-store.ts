import type { AuditRecord } from '../../shared/accounts/audit.ts';
import { keys } from '../../shared/contract/keys.ts';
import { queryUpTo } from '../../shared/table/query-up-to.ts';

/** Audit records in the table. They are never changed and never removed. */
export const auditStore = {
  /**
   * Up to `limit` records of a user, the latest first.
   *
   * @param before only records of earlier revisions.
   */
  async list(userId: string, limit: number, before?: number): Promise<AuditRecord[]> {
    const startAfter = before === undefined ? undefined : { ...keys.audit(userId, before) };
    const partition = keys.auditPartition(userId);
    const records = await queryUpTo({ partition, descending: true, startAfter }, limit);
    return records as unknown as AuditRecord[];
  },
};
