import { clock } from '../../shared/runtime/clock.ts';
import { type IdempotentRequest, responseWrite, storedResponse } from '../../shared/table/idempotency.ts';
import { type Decided, execute } from './execute-command.ts';

/**
 * As {@link execute}, once per key: the transaction stores the response. The caller has looked for the response to the first request with
 * the key, together with its own reads.
 *
 * @param request undefined for one that is executed each time.
 * @returns the response to this request, or to the first one with its key.
 */
export async function executeOnce<R extends object>(
  request: IdempotentRequest | undefined,
  decideNow: (isRepeat: boolean) => Promise<Decided<R>>,
): Promise<R> {
  if (request === undefined) return execute(decideNow);
  const earlier = () => storedResponse<R>(request, clock.nowMs());
  try {
    return await execute(async (isRepeat) => {
      // A concurrent request with the key may have come first.
      const first = isRepeat ? await earlier() : undefined;
      const decided: Decided<R> =
        first === undefined ? await decideNow(isRepeat) : { kind: 'unchanged', response: first };
      if (decided.kind === 'unchanged') return decided;
      const stored = () => responseWrite(request, decided.response(), clock.nowMs());
      return { ...decided, writes: () => [...decided.writes(), stored()] };
    });
  } catch (error) {
    // The first request may have been written since its response was looked up, and the state after it refuses its repeat.
    const first = await earlier();
    if (first === undefined) throw error;
    return first;
  }
}
