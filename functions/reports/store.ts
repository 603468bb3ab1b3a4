import { type Key, timeToLive } from '../shared/contract/keys.ts';
import { minuteMs } from '../shared/runtime/clock.ts';
import { getRecord, recordReader } from '../shared/table/record.ts';
import { notExists, putItem } from '../shared/table/table.ts';
import type { ReportRun } from './report-run.ts';

/** How long a report is kept after the last request that counted for it. */
const retentionMs = 15 * minuteMs;

/** A report that several requests count, one after the other. */
export interface StoredRun<Figures> extends ReportRun<Figures> {
  /** Counts the writes. */
  version: number;
  /** Until when a request counts for it, unless it has died: epoch milliseconds. */
  leasedUntilMs: number;
  keptUntilMs: number;
}

export const reportStore = {
  /** @returns undefined alike for a report that was never stored and one that has expired. */
  async get<Figures>(key: Key, nowMs: number): Promise<StoredRun<Figures> | undefined> {
    const run = await getRecord(key, recordReader<StoredRun<Figures>>(['version', 'keptUntilMs']));
    return run === undefined || run.keptUntilMs <= nowMs ? undefined : run;
  },

  /**
   * Stores a report that is new (after version 0), or that goes on from the version `before`.
   *
   * @returns false when another request was first.
   */
  put(
    key: Key,
    run: ReportRun<unknown>,
    { before, nowMs, leasedUntilMs }: { before: number; nowMs: number; leasedUntilMs: number },
  ): Promise<boolean> {
    const keptUntilMs = nowMs + retentionMs;
    const stored: StoredRun<unknown> = { ...run, version: before + 1, leasedUntilMs, keptUntilMs };
    return putItem(
      { ...key, ...stored, ...timeToLive(keptUntilMs) },
      {
        ConditionExpression: `${notExists} OR #version = :before OR keptUntilMs <= :now`,
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':before': before, ':now': nowMs },
        guard: { once: 'version' },
      },
    );
  },
};
