import { eventWrites } from '../../events/events-write.ts';
import { toConsent, type Withdrawer } from './consent.ts';
import { type Grant, isUsable } from './grant.ts';

/** A grant has two events in its life. */
const sequences = { granted: 1, withdrawn: 2 } as const;

export function consentGranted(grant: Grant) {
  const { applicationId, createdAtMs: nowMs } = grant;
  return eventWrites({ applicationId, nowMs }, [
    { type: 'consent.granted', sequence: sequences.granted, data: toConsent(grant) },
  ]);
}

/**
 * The writes that tell applications of the end of their grants.
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
    eventWrites(
      { applicationId, nowMs },
      own.map((grant) => ({
        type: 'consent.withdrawn',
        sequence: sequences.withdrawn,
        data: toConsent(grant, withdrawal),
      })),
    ),
  );
}
