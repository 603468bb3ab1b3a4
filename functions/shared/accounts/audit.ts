import type { AuditRecord } from '../contract/audit.ts';
import { type AuditedId, keys } from '../contract/keys.ts';
import { notExists, type Write } from '../table/table.ts';

/** A write of an audit record. */
export type AuditWrite = ReturnType<typeof auditWrite>;

/** Adds a record, in the transaction that does what it says. */
export function auditWrite(audited: AuditedId, record: AuditRecord) {
  return {
    Put: { Item: { ...keys.audit(audited, record.revision), ...record }, ConditionExpression: notExists },
  } satisfies Write;
}
