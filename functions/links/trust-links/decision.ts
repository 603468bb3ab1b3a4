import { defined } from '../../shared/contract/defined.ts';
import { directoryListing } from '../../shared/table/listing.ts';
import type { Actor, HistoryEvent, StoredHistoryEvent } from './history.ts';
import type { Link } from './link.ts';

/** The link as the reviewer saw it. */
type ReviewedLink = Pick<Link, 'linkId' | 'applicationId' | 'userId' | 'title' | 'url' | 'platform'>;

/** The decisions of reviewers. One that is withdrawn makes the link wait again. */
export const decisionKinds = ['verified', 'rejected', 'withdrawn'] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** The event of a decision, with its link: a later change of the link does not change what was decided. */
export type Decision = StoredHistoryEvent & {
  event: DecisionKind;
  by: Extract<Actor, { kind: 'operator' }>;
  link: ReviewedLink;
};

/** The facts of the list: those by which it filters, and how long the link waited. */
export interface DecisionFacts {
  decision: DecisionKind;
  keyId: string;
  reviewer: string;
  /** Absent from a withdrawal, and from decisions that were made before it was recorded. */
  waitedMs?: number;
}

/**
 * The attributes that put the event of a decision into the list. None for other events.
 *
 * @param queueEntry of the link before the event.
 */
export function decisionAttributes(
  { linkId, applicationId, userId, title, url, platform, revision }: Link,
  { event, by, atMs }: HistoryEvent,
  { queueEntry }: Pick<Link, 'queueEntry'>,
): object {
  if (event === 'changed' || event === 'removed' || by.kind !== 'operator') return {};
  const facts: DecisionFacts = {
    decision: event,
    keyId: by.id,
    reviewer: by.name,
    ...defined({ waitedMs: queueEntry && atMs - queueEntry.sinceMs }),
  };
  return {
    link: { linkId, applicationId, userId, title, url, platform },
    ...directoryListing('decision', { id: `${linkId}#${revision}`, atMs }, { ...facts }),
  };
}
