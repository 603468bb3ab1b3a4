import { createServer } from 'node:http';
import { listen } from '../../../lib/local/listen.ts';
import { stackOfWorker } from '../subscriptions/stack.ts';
import { browserOfWorker, type TestBrowser } from './chromium.ts';
import { newWorld, type World } from './world.ts';

/** The local stack of this worker with a {@link World}, whose application has a web server, and a browser. */
export interface PagesStack {
  world: World;
  browser: TestBrowser;
  /** A page of the application's server that frames another: `?of=<url>`. */
  framing: string;
  stop(): Promise<void>;
}

/** @param userId of the user, whom no other file has. */
export async function startPagesStack(userId: string): Promise<PagesStack> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site');
    const of = searchParams.get('of');
    const heading = pathname === '/plans' ? 'Our plans' : 'Thank you';
    response.setHeader('content-type', 'text/html');
    response.end(
      of === null
        ? `<h1>${heading}</h1>`
        : `<h1>Frame</h1><iframe src="${of.replaceAll('&', '&amp;')}"></iframe>`,
    );
  });
  const [{ url }, site, browser] = await Promise.all([stackOfWorker(), listen(server, 0), browserOfWorker()]);
  // Another site than 127.0.0.1. Requests that follow a redirect cannot be answered by `page.route`.
  const siteUrl = `http://localhost:${new URL(site.url).port}`;
  return {
    world: await newWorld(url, url, siteUrl, userId),
    browser,
    framing: `${siteUrl}/frame`,
    stop: () => site.close(),
  };
}
