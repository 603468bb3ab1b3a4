import type { Facts } from '../table/listing.ts';
import type { Item } from '../table/table.ts';

export interface ListedEntry extends Item {
  list: string;
  listedAt: string;
  /** Of clients there are none. */
  listed?: Facts;
}

/** Sorts before and after every place in a list. */
export const firstPlace = '0';
export const lastPlace = '9999';

export const statusOf = ({ list }: ListedEntry): string => list.split('#')[3] ?? '';
