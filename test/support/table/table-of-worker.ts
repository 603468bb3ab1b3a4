/**
 * A table for each worker and for the benchmarks, so that the tests that read a whole queue or index read little of what
 * others wrote. Files of one worker share it: each keeps to its own keys.
 */

import { createTableOfTests } from './own-table.ts';

const { TEST_TABLE_PREFIX } = process.env;
const tableName = `${TEST_TABLE_PREFIX}-${process.pid}`;

if (process.env.TABLE_NAME === undefined) {
  await createTableOfTests(tableName);
  process.env.TABLE_NAME = tableName;
}
