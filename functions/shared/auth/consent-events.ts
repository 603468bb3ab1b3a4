/** The events of grants, for the transaction in which a grant begins or ends. Decision 47. */
import { maxEventsOfChange } from '../contract/events.ts';
import { eventWrites } from '../events/events-write.ts';
import { toConsent, type Withdrawer } from './consent.ts';
import { type Grant, isUsable } from './grant.ts';

/** A grant has two events in its life. */
const sequences = { granted: 1, withdrawn: 2 } as const;

/** The write that tells an application of a new grant. */
export function consentGranted(grant: Grant) {
  const { applicationId, createdAtMs: nowMs } = grant;
  return eventWrites({ applicationId, nowMs }, [
    { type: 'consent.granted', sequence: sequences.granted, data: toConsent(grant) },
  ]);
}

/**
 * The writes that tell applications of the end of their grants: one write for each application, and for each ten grants of it.
 * A grant that nobody used until it expired ended then, and ends no more.
 */
export function consentsWithdrawn(
  grants: readonly Grant[],
  withdrawal: { by: Withdrawer; atMs: number },
): ReturnType<typeof eventWrites> {
  const { atMs: nowMs } = withdrawal;
  const ending = grants.filter((grant) => isUsable(grant, nowMs));
  const byApplication = Map.groupBy(ending, ({ applicationId }) => applicationId);
  return [...byApplication].flatMap(([applicationId, own]) =>
    groupsOf(own, maxEventsOfChange).flatMap((some) =>
      eventWrites(
        { applicationId, nowMs },
        some.map((grant) => ({
          type: 'consent.withdrawn',
          sequence: sequences.withdrawn,
          data: toConsent(grant, withdrawal),
        })),
      ),
    ),
  );
}

/** Consecutive groups of up to `size` entries. */
export function groupsOf<T>(entries: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, i) =>
    entries.slice(i * size, (i + 1) * size),
  );
}
