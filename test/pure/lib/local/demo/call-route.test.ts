import { expect, test, vi } from 'vitest';
import { clientKey } from '../../../../../functions/shared/lambda/client-key.ts';
import type { DemoOptions } from '../../../../../lib/local/demo/call-route.ts';

test('demo calls count against no rate limit, however often the stack starts on one table', async () => {
  const addresses: string[] = [];
  const invoke = async (_: unknown, event: { requestContext: { identity: { sourceIp: string } } }) => {
    addresses.push(event.requestContext.identity.sourceIp);
    return { statusCode: 200, body: '{}' };
  };
  for (let starts = 0; starts < 3; starts += 1) {
    vi.resetModules();
    const { callRoute } = await import('../../../../../lib/local/demo/call-route.ts');
    const options = { invoke, nowMs: () => 0 } as unknown as DemoOptions;
    for (let calls = 0; calls < 6; calls += 1) await callRoute(options, 'shares.create', { body: {} });
  }
  expect(new Set(addresses.map((address) => clientKey(address))).size).toBe(18);
  for (const address of addresses) expect(address).toMatch(/^2001:db8:/);
});
