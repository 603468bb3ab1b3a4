import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { startStack } from '../../../lib/local/stack.ts';
import { browserOfWorker, type TestBrowser } from './chromium.ts';
import { newWorld, type World } from './world.ts';

/** A local stack with a {@link World}, and a browser. */
export interface PagesStack {
  world: World;
  browser: TestBrowser;
  stop(): Promise<void>;
}

/** Runs on the engine of the test run, with its own table. Modules are reset, because SDK clients keep their endpoint. */
export async function startPagesStack(): Promise<PagesStack> {
  vi.resetModules();
  const env = {
    ...process.env,
    TABLE_NAME: `stack-${randomUUID()}`,
    // The mailbox and the state machines of the stack, which runs them.
    AWS_ENDPOINT_URL_SES: undefined,
    AWS_ENDPOINT_URL_SFN: undefined,
    TIMER_STATE_MACHINE_ARN: undefined,
  };
  const options = { port: 0, dataDir: ':memory:', env, log: () => undefined };
  const [stack, browser] = await Promise.all([startStack(options), browserOfWorker()]);
  return {
    world: await newWorld(stack.url),
    browser,
    async stop() {
      await Promise.all([browser.close(), stack.stop()]);
      vi.resetModules();
    },
  };
}
