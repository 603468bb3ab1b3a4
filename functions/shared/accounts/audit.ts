/** The audit records of a user: what changed their access, who did it and why. They are never changed and never removed. */
import { keys } from '../contract/keys.ts';
import { notExists, type Write } from '../table/table.ts';

/** What a reset ended. */
export interface Ended {
  /** Every trusted device, session and token. */
  devices: boolean;
  /** The proof of the master password. */
  proof: boolean;
  /** The stored vault. */
  vault: boolean;
}

/** Who made a write, when and why. */
export interface Authorship {
  atMs: number;
  /** The id of the operator key. Absent when the user did it on the account page. */
  keyId?: string;
  reason?: string;
}

/**
 * An audit record. `before` contains the former values of the changed fields, `reset` what a reset ended, `grant` what the user
 * withdrew.
 */
export interface AuditRecord extends Authorship {
  event: 'email_changed' | 'reset' | 'grant_withdrawn';
  /** The revision of the user that the write led to. */
  revision: number;
  before?: { email: string };
  reset?: Ended;
  grant?: { id: string; applicationId: string };
}

/** Adds a record, in the transaction that does what it says. */
export function auditWrite(userId: string, record: AuditRecord): Write {
  return {
    Put: { Item: { ...keys.audit(userId, record.revision), ...record }, ConditionExpression: notExists },
  };
}
