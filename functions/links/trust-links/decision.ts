/** Decisions of reviewers: in the history of a link, and in the list across applications. */
import { directoryListing } from '../../shared/table/listing.ts';
import type { Actor, HistoryEvent, StoredHistoryEvent } from './history.ts';
import type { Link } from './link.ts';

/** The link as the reviewer saw it. */
type ReviewedLink = Pick<Link, 'linkId' | 'applicationId' | 'userId' | 'title' | 'url' | 'platform'>;

/** The event of a decision, with its link: a later change of the link does not change what was decided. */
export type Decision = StoredHistoryEvent & {
  event: 'verified' | 'rejected';
  by: Extract<Actor, { kind: 'operator' }>;
  link: ReviewedLink;
};

/** The facts by which the list filters. */
export interface DecisionFacts {
  decision: 'verified' | 'rejected';
  keyId: string;
  reviewer: string;
}

/** The attributes that put the event of a decision into the list. None for other events. */
export function decisionAttributes(
  { linkId, applicationId, userId, title, url, platform, revision }: Link,
  { event, by, atMs }: HistoryEvent,
): object {
  if ((event !== 'verified' && event !== 'rejected') || by.kind !== 'operator') return {};
  const facts: Record<keyof DecisionFacts, string> = { decision: event, keyId: by.id, reviewer: by.name };
  return {
    link: { linkId, applicationId, userId, title, url, platform },
    ...directoryListing('decision', { id: `${linkId}#${revision}`, atMs }, facts),
  };
}
