import { bearer, call } from '../call.ts';

/** Stops the clock for each test of the file. {@link advance} moves it. */
export function onStoppedClock(): void {
  beforeEach(() => {
    vi.setSystemTime(Date.now());
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** A call that an access token or a client secret authorizes. */
export const readLinks = (token: string) => call('links.list', { headers: bearer(token) });
export const invalidToken = [401, 'invalid_token'];
