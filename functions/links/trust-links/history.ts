/** The history of a link: its changes after the submission. It outlives the link. */
import { defined } from '../../shared/contract/defined.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { HistoryEntry } from '../api/responses.ts';

/**
 * Who made a change: an application with its secret, a user through an application, or an operator by the id of their key and
 * the name of its person.
 */
export type Actor =
  | { kind: 'application' | 'user'; id: string }
  | { kind: 'operator'; id: string; name: string };

/** A change of a link after its submission. `before` contains the former values of the changed fields. */
export interface HistoryEvent {
  event: 'changed' | 'verified' | 'rejected' | 'withdrawn' | 'removed';
  atMs: number;
  by: Actor;
  reason?: string;
  before: Readonly<Record<string, unknown>>;
}

/** An event as stored. A removal includes the submission, because the link no longer exists. */
export type StoredHistoryEvent = HistoryEvent & { revision: number; submission?: Submission };

export interface Submission {
  applicationId: string;
  userId: string;
  createdAtMs: number;
  submittedBy: Actor;
}

export function submissionOf({ applicationId, userId, createdAtMs, submittedBy }: Submission): Submission {
  return { applicationId, userId, createdAtMs, submittedBy };
}

/** The first entry of every history. The submission has no event of its own: it is read from the link. */
export function submissionEntry({ createdAtMs, submittedBy }: Submission): HistoryEntry {
  return { event: 'submitted', revision: 1, at: isoTime(createdAtMs), by: submittedBy };
}

export function toHistoryEntry(stored: StoredHistoryEvent): HistoryEntry {
  const { event, revision, atMs, by, reason, before } = stored;
  return {
    event,
    revision,
    at: isoTime(atMs),
    by,
    ...defined({ reason }),
    before: before as Record<string, string | null>,
  };
}
