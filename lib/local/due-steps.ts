import * as z from 'zod/mini';
import * as keys from '../../functions/shared/contract/keys.ts';
import { dueShards, type Key } from '../../functions/shared/contract/keys.ts';
import type { LocalTable } from './table.ts';

const StoredStep = z.object({ dueAt: z.iso.datetime(), timer: z.object({ step: z.string() }) });

export interface DueStep {
  /** As the machine names it: `trial_end`. */
  step: string;
  dueMs: number;
}

function stepOf(item: unknown): DueStep | undefined {
  const stored = StoredStep.safeParse(item).data;
  return stored && { step: stored.timer.step, dueMs: Date.parse(stored.dueAt) };
}

export async function nextStepOf(table: LocalTable, key: Key): Promise<DueStep | undefined> {
  return stepOf(await table.get(key));
}

export async function earliestStep(table: LocalTable): Promise<DueStep | undefined> {
  const shards = Array.from({ length: dueShards }, (_, shard) => table.firstDue(keys.timerPartition(shard)));
  const first = (await Promise.all(shards)).flatMap((item) => stepOf(item) ?? []);
  return first.toSorted((a, b) => a.dueMs - b.dueMs).at(0);
}
