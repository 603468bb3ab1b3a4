import type { BrowserContext, Request } from 'playwright-core';

/** Console messages about a response or a connection: a test of an error or of being offline causes it. */
const aboutResponses = /^Failed to load resource: /;
/** Requests that a script makes and judges itself. */
const byScripts: ReadonlySet<string> = new Set(['fetch', 'xhr', 'eventsource', 'ping']);

/** Collects what goes wrong in the pages of one test, and what the test expects to go wrong. */
export class Problems {
  readonly #found: string[] = [];
  readonly #expected: RegExp[] = [];

  /** @param calls origins that the pages may call besides their own. */
  watch(context: BrowserContext, calls: readonly string[] = []): void {
    // Chromium reports violations of the content security policy as errors on the console, without JavaScript too.
    context.on('console', (message) => {
      if (message.type() === 'error' && !aboutResponses.test(message.text()))
        this.#found.push(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => this.#found.push(`script: ${error.error().message}`));
    let visited = '';
    context.on('request', (request) => {
      if (isVisit(request)) {
        visited = originOf(request.url());
        return;
      }
      const own = [visited, originOf(request.frame().url()), ...calls];
      if (/^https?:/.test(request.url()) && !own.includes(originOf(request.url())))
        this.#found.push(`request to another origin: ${request.url()}`);
    });
    context.on('response', (response) => {
      const request = response.request();
      if (response.status() >= 400 && !isVisit(request) && !byScripts.has(request.resourceType()))
        this.#found.push(`${response.status()} for ${response.url()}`);
    });
  }

  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** @throws Error with all problems that were not expected, and all expected ones that did not occur. */
  judge(): void {
    const unexpected = this.#found.filter((line) => !this.#expected.some((pattern) => pattern.test(line)));
    const missing = this.#expected.filter((pattern) => !this.#found.some((line) => pattern.test(line)));
    const lines = [...unexpected, ...missing.map((pattern) => `did not occur: ${pattern}`)];
    if (lines.length > 0) throw new Error(`Problems in the browser:\n${lines.join('\n')}`);
  }
}

/** Whether a person goes to another page, which may belong to another origin. */
const isVisit = (request: Request) => request.isNavigationRequest() && request.frame().parentFrame() === null;

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : '');
