/**
 * A request that loses to others retries for some seconds, or some attempts, whichever ends first. In tests the time
 * stands still, and the attempts alone count: on a slow machine no race of many ends for want of time.
 */

import * as clock from '../../../functions/shared/runtime/clock.ts';

beforeEach(() => {
  vi.spyOn(clock, 'elapsedMs').mockReturnValue(0);
});
