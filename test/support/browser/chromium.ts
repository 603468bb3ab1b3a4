import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { Problems } from './problems.ts';

/**
 * Chromium without what draws windows, a package of its own in Debian. Contexts and pages cost about half the processor
 * time there; engine, network and content security policy are those of Chromium. It has no viewer of PDF files, and
 * does not load a page again by itself after an error of the network.
 */
const shellPlaces = ['/usr/bin/chromium-headless-shell'];
/** Where Chromium or Chrome is usually installed; the variable `CHROMIUM` names another place. */
const wholePlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const firstOf = (places: readonly string[]) =>
  process.env.CHROMIUM ?? places.find((path) => existsSync(path));
/** For pictures, which show what people see. */
export const executablePath = firstOf([...wholePlaces, ...shellPlaces]);
/** For tests, which open hundreds of pages, and for measurements: on two cores, what draws windows takes as long as a page. */
export const testedPath = firstOf([...shellPlaces, ...wholePlaces]);

/** Whether this machine has a Chromium. Tests that need one are skipped elsewhere. */
export const hasChromium = testedPath !== undefined && existsSync(testedPath);

/** The person in front of a page. */
export interface Visitor {
  /** Width of the window in CSS pixels. */
  width?: number;
  /** `false` turns JavaScript off. */
  javaScript?: boolean;
  /** Origins that scripts of the pages may call besides their own. */
  calls?: readonly string[];
  /** Further settings of Playwright. */
  more?: BrowserContextOptions;
}

/** A Chromium for the tests of one file. */
export interface TestBrowser {
  /** A page in a new context: it shares no cookies, storage or cache with another. */
  newPage(visitor?: Visitor): Promise<Page>;
  /**
   * Expects a problem in this test: {@link endTest} then fails unless it occurs.
   *
   * @param pattern of the whole line, such as `console: Refused to frame ...`.
   */
  expectProblem(pattern: RegExp): void;
  /**
   * Closes the pages of a test. Belongs into `afterEach`.
   *
   * @throws Error that lists what went wrong in any of them: violations of the content security policy and other errors
   * on the console, uncaught errors of scripts, resources that could not be loaded, requests to other origins.
   */
  endTest(): Promise<void>;
}

/**
 * Starts a Chromium, without a window.
 *
 * @param args further arguments of Chromium.
 * @param path the whole one by default.
 * @throws Error when there is none: see `hasChromium`.
 */
export async function startBrowser(
  args: readonly string[] = [],
  path = executablePath,
): Promise<TestBrowser & { close(): Promise<void> }> {
  const browser = await launch(path, args);
  return Object.assign(testBrowser(browser), { close: () => browser.close() });
}

/**
 * The Chromium of this worker, for the tests of one file: the headless shell where it is installed. All files of the
 * worker share it, since contexts keep them apart; it ends with the process.
 *
 * @throws Error when there is none: see `hasChromium`.
 */
export async function browserOfWorker(): Promise<TestBrowser> {
  shared[key] ??= launch(testedPath);
  return testBrowser(await shared[key]);
}

/** Kept beside the modules, which some tests reset. */
const key = Symbol.for('vouchsafe.browser');
const shared = globalThis as { [key]?: Promise<Browser> };

async function launch(path: string | undefined, args: readonly string[] = []): Promise<Browser> {
  if (path === undefined) throw new Error('There is no Chromium. Install one, or name it in CHROMIUM.');
  return await chromium.launch({
    executablePath: path,
    // Where no locale is set, a download would lose the letters of its name that are not ASCII.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    // A font that looks the same on every screen, for pictures that can be compared.
    args: [
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      '--force-color-profile=srgb',
      ...args,
    ],
  });
}

function testBrowser(browser: Browser): TestBrowser {
  let contexts: BrowserContext[] = [];
  let problems = new Problems();
  return {
    async newPage({ width = 800, javaScript = true, calls, more } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        javaScriptEnabled: javaScript,
        locale: 'en-GB',
        timezoneId: 'UTC',
        ...more,
      });
      contexts.push(context);
      problems.watch(context, calls);
      return context.newPage();
    },
    expectProblem: (pattern) => problems.expect(pattern),
    async endTest() {
      const ended = problems;
      const closed = contexts;
      contexts = [];
      problems = new Problems();
      await Promise.all(closed.map((context) => context.close()));
      ended.judge();
    },
  };
}
