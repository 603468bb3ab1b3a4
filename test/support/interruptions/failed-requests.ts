/** Shows the log records of requests that got a 5xx, with their causes, when the test fails. */

import { inspect } from 'node:util';
import * as log from '../../../functions/shared/runtime/log.ts';

beforeEach(({ onTestFailed }) => {
  const { mock } = vi.spyOn(log, 'recordRequest').mockClear();
  onTestFailed(() => {
    for (const [record, cause] of mock.calls)
      if (record.status >= 500) process.stderr.write(`request failed ${inspect(record)} ${inspect(cause)}\n`);
  });
});
