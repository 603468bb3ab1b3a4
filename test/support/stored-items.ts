/** Writes of tests, which prepare the table before the functions use it. */

import type { Key } from '../../functions/shared/contract/keys.ts';
import * as table from '../../functions/shared/table/table.ts';

const guard = { harmless: 'a test prepares the table' };

export const putItem = (item: table.Item): Promise<boolean> => table.putItem(item, { guard });
export const updateItem = (key: Key, update: table.Update): Promise<table.UpdateResult> =>
  table.updateItem(key, { ...update, guard });
export const deleteItem = (key: Key): Promise<void> => table.deleteItem(key, { guard });
