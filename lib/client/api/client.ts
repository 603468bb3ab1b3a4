import { isText } from './answer.ts';
import { cursorOf } from './operation-row.ts';
import { operations } from './operations.ts';
import { pagesFrom } from './pages.ts';
import { type ClientOptions, createRequester, type Fields } from './requester.ts';
import type { RequestOptions, VouchsafeClient } from './types.ts';

/**
 * The API as methods. A GET, and a request with an `Idempotency-Key`, is repeated after a failure that a repeat can mend.
 *
 * @throws {VouchsafeError} `wrong_key` for a key that cannot be used here. Methods reject with a `VouchsafeError`.
 */
export function createClient(options: ClientOptions): VouchsafeClient {
  const request = createRequester(options);
  const methods = Object.entries(operations).map(([id, row]) => [
    id,
    (input: Fields = {}, more: RequestOptions = {}) => {
      const cursor = cursorOf(row);
      const list = isText(more.accept) ? 'text' : row.list;
      const first = request(row, input, more);
      if (list === undefined) return first;
      return pagesFrom(first, list, (next) =>
        request(row, Object.assign({}, input, { [cursor]: next }), more),
      );
    },
  ]);
  return Object.fromEntries(methods);
}
