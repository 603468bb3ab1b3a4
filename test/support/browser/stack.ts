import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { vi } from 'vitest';
import { listen } from '../../../lib/local/listen.ts';
import { startStack } from '../../../lib/local/stack.ts';
import { browserOfWorker, type TestBrowser } from './chromium.ts';
import { newWorld, type World } from './world.ts';

/** A local stack with a {@link World}, whose application has a web server, and a browser. */
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
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<h1>Thank you</h1>');
  });
  const [stack, site, browser] = await Promise.all([
    startStack(options),
    listen(server, 0),
    browserOfWorker(),
  ]);
  return {
    // Another site than 127.0.0.1. Requests that follow a redirect cannot be answered by `page.route`.
    world: await newWorld(stack.url, stack.url, `http://localhost:${new URL(site.url).port}`),
    browser,
    async stop() {
      await Promise.all([browser.close(), site.close(), stack.stop()]);
      vi.resetModules();
    },
  };
}
