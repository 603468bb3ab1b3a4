import { lastPlace } from '../../shared/lists/listed-entry.ts';
import { listedStore } from '../../shared/lists/listed-store.ts';
import { directoryPartitions } from '../../shared/lists/partitions.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { DecisionFacts } from '../trust-links/decision.ts';

/**
 * How long the links waited that were decided last, newest decision first, in milliseconds. The index has it, so that no decision
 * is read.
 *
 * @param sinceMs of the decisions, epoch milliseconds.
 * @param most decisions that are looked at.
 */
export async function decidedWaits(sinceMs: number, most: number): Promise<number[]> {
  const range = { from: isoTime(sinceMs), to: lastPlace };
  const entries = listedStore.newestFirst(directoryPartitions('decision'), range, most);
  const waits: number[] = [];
  let seen = 0;
  for await (const { listed = {} } of entries) {
    const { waitedMs }: Partial<DecisionFacts> = listed;
    if (waitedMs !== undefined) waits.push(waitedMs);
    seen += 1;
    if (seen === most) break;
  }
  return waits;
}
