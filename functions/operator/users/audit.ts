/** The audit records of a user: what operators did to their access, by whom and why. */
import type { output } from 'zod/mini';
import { defined } from '../../shared/contract/defined.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { UserHistory } from './schemas.ts';

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
  /** The id of the operator key. */
  keyId: string;
  reason?: string;
}

/** An audit record. `before` contains the former values of the changed fields, `reset` what a reset ended. */
export interface AuditRecord extends Authorship {
  event: 'email_changed' | 'reset';
  /** The revision of the user that the write led to. */
  revision: number;
  before?: { email: string };
  reset?: Ended;
}

/** An audit record as operators receive it. */
export function toHistoryEntry(record: AuditRecord): output<typeof UserHistory>['history'][number] {
  const { event, revision, atMs, keyId, reason, before, reset } = record;
  return {
    event,
    revision,
    at: isoTime(atMs),
    by: { kind: 'operator', id: keyId },
    ...defined({ reason, before, reset }),
  };
}
