/** The partitions of the index `listed` that lists read. */
import * as keys from '../contract/keys.ts';
import { listShards } from '../contract/keys.ts';
import type { ApplicationList, Directory } from '../table/listing.ts';

/** Where the records of a list are. */
export interface ListSource {
  /** Names the list in its cursors, its kind first. */
  scope: readonly [kind: string, ...more: string[]];
  /** The partitions with the records between two places. Those of the first group have the newest records, and so on. */
  groups(from: string, to: string): readonly (readonly string[])[];
  /** The seller, in whose time zone days begin. Across applications they are those of UTC. */
  readonly applicationId?: string;
}

const shards = Array.from({ length: listShards }, (_, shard) => shard);

export const statusPartitions = (
  applicationId: string,
  kind: ApplicationList,
  statuses: readonly string[],
): string[] =>
  statuses.flatMap((status) => shards.map((shard) => keys.listPartition(applicationId, kind, status, shard)));

export const directoryPartitions = (kind: Directory): string[] =>
  shards.map((shard) => keys.directoryPartition(kind, shard));

/** The records of an application with some statuses. */
export const ofApplication = (
  applicationId: string,
  kind: ApplicationList,
  statuses: readonly string[],
): ListSource => ({
  scope: [kind, applicationId, ...statuses],
  groups: () => [statusPartitions(applicationId, kind, statuses)],
  applicationId,
});

/** The records of a kind across applications. */
export const ofDirectory = (kind: Directory): ListSource => ({
  scope: [kind],
  groups: () => [directoryPartitions(kind)],
});
