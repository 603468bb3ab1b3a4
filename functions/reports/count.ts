/** Counts a report page by page, from the index alone. */
import { statusOf } from '../shared/lists/listed-entry.ts';
import type { listedStore } from '../shared/lists/listed-store.ts';
import { statusPartitions } from '../shared/lists/partitions.ts';
import type { ApplicationList, Facts } from '../shared/table/listing.ts';
import type { ReportRun } from './report-run.ts';

interface Part<Counter> {
  kind: ApplicationList;
  statuses: readonly string[];
  add(counter: Counter, facts: Facts, status: string): void;
}

/** @param add counts an entry by the facts that the listing of its kind writes. */
export function part<Counter, F extends Facts>(
  kind: ApplicationList,
  statuses: readonly string[],
  add: (counter: Counter, facts: F, status: string) => void,
): Part<Counter> {
  return { kind, statuses, add };
}

/** A kind of report: the parts of the index that it reads, and its arithmetic over the figures of a run. */
export interface ReportKind<Figures, Counter> {
  parts: Readonly<Record<string, Part<Counter>>>;
  counterOf(run: ReportRun<Figures>): Counter;
}

export const isCounted = ({ unread }: ReportRun<unknown>): boolean => Object.keys(unread).length === 0;

/**
 * Counts a page of each part that is left, all concurrently. A record keeps its place when its status changes, so a page is
 * the records of all states between two places: one that changes between two pages is counted once.
 *
 * @param pageEntries how many entries of each part are a page.
 */
export async function countPage<Figures, Counter>(
  run: ReportRun<Figures>,
  { parts, counterOf }: ReportKind<Figures, Counter>,
  store: Pick<typeof listedStore, 'newestFirst'>,
  pageEntries: number,
): Promise<void> {
  const counter = counterOf(run);
  const { applicationId, unread } = run;
  const count = async ([name, { kind, statuses, add }]: [string, Part<Counter>]) => {
    const places = unread[name];
    if (places === undefined) return;
    const { from, to } = places;
    const partitions = statusPartitions(applicationId, kind, statuses);
    let read = 0;
    for await (const entry of store.newestFirst(partitions, { from, to }, pageEntries)) {
      // The last entry of the page before.
      if (entry.listedAt === to) continue;
      add(counter, entry.listed ?? {}, statusOf(entry));
      places.to = entry.listedAt;
      run.records += 1;
      read += 1;
      if (read === pageEntries) return;
    }
    delete unread[name];
  };
  await Promise.all(Object.entries(parts).map(count));
}
