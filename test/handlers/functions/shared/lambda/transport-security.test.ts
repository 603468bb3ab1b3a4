import { afterEach, expect, test, vi } from 'vitest';
import { createRequestContext, toResult } from '../../../../../functions/shared/lambda/request-context.ts';
import { proxyEvent, registered } from '../../../../support/call.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([
  ['https://api.example.com', 'max-age=31536000'],
  ['http://127.0.0.1:3000', undefined],
  [undefined, undefined],
])(
  'with the address %s of the stage, every response of a function has Strict-Transport-Security: %s',
  (url, sent) => {
    vi.stubEnv('PUBLIC_URL', url);
    const one = registered('shares.create');
    for (const status of [201, 400, 500]) {
      const { headers } = toResult(createRequestContext(proxyEvent(one), 0), one.route, status, '{}');
      expect(headers?.['strict-transport-security']).toBe(sent);
    }
  },
);
