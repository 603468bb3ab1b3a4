import { createServer } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { type Listening, listen } from '../../../lib/local/listen.ts';
import { stackOfWorker } from '../subscriptions/stack.ts';
import { focused, seeHeading } from './accessible.ts';
import { browserOfWorker, type TestBrowser, type Visitor } from './chromium.ts';
import { advance } from './clock.ts';
import { newWorld, type World } from './world.ts';

/** Beyond the hour in which the codes of a mailbox are counted, and the lifetime of every session. */
const overAnHour = 3_601;

interface Started {
  world: World;
  browser: TestBrowser;
  site: Listening;
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

/** The local stack of this worker with a {@link World}, whose application has a web server, and a browser. */
class Pages {
  #started: Started | undefined;
  #signedIn: SignedIn | undefined;

  /** @param userId of the user, whom no other file has. */
  async start(userId: string): Promise<void> {
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
    const [{ url }, site, browser] = await Promise.all([
      stackOfWorker(),
      listen(server, 0),
      browserOfWorker(),
    ]);
    // Another site than 127.0.0.1. Requests that follow a redirect cannot be answered by `page.route`.
    const siteUrl = `http://localhost:${new URL(site.url).port}`;
    this.#started = { world: await newWorld(url, url, siteUrl, userId), browser, site };
  }

  async stop(): Promise<void> {
    await this.#started?.site.close();
  }

  get #own(): Started {
    if (this.#started === undefined) throw new Error('The pages have not started.');
    return this.#started;
  }

  get world(): World {
    return this.#own.world;
  }

  get browser(): TestBrowser {
    return this.#own.browser;
  }

  /** An API call of the application. @throws Error when the response is not a success. */
  api(method: string, path: string, body: object = {}) {
    const { send, application } = this.world;
    const sent = method === 'GET' ? {} : { body };
    return send(method, `/api/v1${path}`, Object.assign(sent, { key: application.apiKey }));
  }

  /** A page in a new context. @param path on the stack, or a whole address. */
  async open(path: string, visitor: Visitor = {}): Promise<Page> {
    const page = await this.browser.newPage(visitor);
    await page.goto(new URL(path, this.world.url).href);
    return page;
  }

  /** A page in a new context, of a person who has signed in to the console once for all tests of the suite. */
  async newOperatorPage(visitor: Visitor = {}): Promise<Page> {
    const storageState = this.#signedIn;
    if (storageState !== undefined) return this.browser.newPage({ ...visitor, more: { storageState } });
    const page = await this.open('/console', visitor);
    await this.signInToConsole(page);
    this.#signedIn = await page.context().storageState();
    return page;
  }

  /** @param path below that of the console. */
  async openConsole(path = '', visitor: Visitor = {}): Promise<Page> {
    const page = await this.newOperatorPage(visitor);
    await page.goto(`${this.world.url}/console${path}`);
    return page;
  }

  /** Types the operator key into the field that the page has focused. */
  async signInToConsole(page: Page): Promise<void> {
    const { operatorKey } = await this.world.send('GET', '/_local/demo');
    await typeInto(page, 'Operator key', operatorKey);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  /** Asks for a code with the keyboard alone. */
  async askForCode(page: Page): Promise<void> {
    await typeInto(page, 'E-mail address', this.world.user.email);
    await seeHeading(page, 'Check your mail');
  }

  /** Types the code that was mailed. @param written how the person writes it. */
  async enterCode(page: Page, written = (code: string) => code): Promise<void> {
    await typeInto(page, '6-digit code', written(await this.world.mailedCode()));
  }

  /** Lets the sessions of the user end, and the next codes be sent. */
  letSessionsEnd(): Promise<void> {
    return advance(this.world.url, overAnHour);
  }
}

/** Types into the field that the page has focused, and sends the form. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await expect.poll(() => focused(page)).toBe(label);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/**
 * Starts the pages for the tests of a suite. What goes wrong in a page fails its test.
 *
 * @param userId of the user, whom no other file has.
 */
export function startPages(userId: string): Pages {
  const pages = new Pages();
  beforeAll(() => pages.start(userId));
  afterEach(() => pages.browser.endTest());
  afterAll(() => pages.stop());
  return pages;
}
