import type { Application } from '../accounts/applications.ts';
import * as keys from '../contract/keys.ts';
import type { ApplicationList, Directory } from '../table/listing.ts';

export interface ListSource {
  /** Names the list in its cursors, its kind first. */
  scope: readonly [kind: string, ...more: string[]];
  /** The partitions with the records between two places. Those of the first group have the newest records, and so on. */
  groups(from: string, to: string): readonly (readonly string[])[];
  /** In whose time zone days begin. Across applications they are those of UTC. */
  readonly seller?: ListSeller;
}

/** The application of a list, with its settings where they are known. */
type ListSeller = Pick<Application, 'applicationId'> & Partial<Pick<Application, 'settings'>>;

const shards = Array.from({ length: keys.listShards }, (_, shard) => shard);

export const statusPartitions = (
  applicationId: string,
  kind: ApplicationList,
  statuses: readonly string[],
): string[] =>
  statuses.flatMap((status) => shards.map((shard) => keys.listPartition(applicationId, kind, status, shard)));

export const directoryPartitions = (kind: Directory): string[] =>
  shards.map((shard) => keys.directoryPartition(kind, shard));

export const ofApplication = (
  seller: ListSeller,
  kind: ApplicationList,
  statuses: readonly string[],
): ListSource => ({
  scope: [kind, seller.applicationId, ...statuses],
  groups: () => [statusPartitions(seller.applicationId, kind, statuses)],
  seller,
});

export const ofDirectory = (kind: Directory): ListSource => ({
  scope: [kind],
  groups: () => [directoryPartitions(kind)],
});
