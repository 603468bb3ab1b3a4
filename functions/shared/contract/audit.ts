/** Audit records: what operators and users changed, who did it, when, from where and why. They are never changed and never removed. */
import type { Operator } from './operator-scopes.ts';

/** Everything that a reset can end. */
export interface Ended {
  /** Every trusted device, session and token. */
  devices: boolean;
  /** The proof of the master password. */
  proof: boolean;
  /** The stored vault. */
  vault: boolean;
}

/** Who made a write, when and why. Without the fields of an operator, the user did it on the account page. */
export interface Authorship extends Partial<Operator> {
  atMs: number;
  reason?: string;
}

/** The change. `before` contains the former values of the changed fields. */
export type AuditEvent =
  | { event: 'created'; operatorKey?: { name: string; scopes: string[] } }
  | { event: 'changed'; before: Readonly<Record<string, unknown>> }
  | {
      event: 'email_changed' | 'status_changed' | 'verified_changed';
      before: { email?: string; status?: string; verified?: boolean };
    }
  | { event: 'reset'; reset: Ended }
  | { event: 'grant_withdrawn'; grant: { id: string; applicationId: string } }
  | { event: 'key_created' | 'key_revoked'; key: { id: string; kind: string } }
  | { event: 'revoked' };

/** An audit record. `revision` is that of the user, application or operator key that the write led to. */
export type AuditRecord = Authorship & AuditEvent & { revision: number };
