import * as keys from '../../shared/contract/keys.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { isoMonth } from '../../shared/runtime/time-zone.ts';

/** The partitions of everything that operators did between two places, a month of UTC each, the latest first. None is later than now. */
export function auditPartitions(from: string, to: string, nowMs: number): string[][] {
  const now = isoTime(nowMs);
  const last = monthNumber(to < now ? to : now);
  return Array.from({ length: Math.max(0, last - monthNumber(from) + 1) }, (_, i) => {
    const month = isoMonth(Date.UTC(1970, last - i - monthNumber('1970-01')));
    return [keys.auditListPartition(month)];
  });
}

const monthNumber = (place: string) => Number(place.slice(0, 4)) * 12 + Number(place.slice(5, 7)) - 1;
