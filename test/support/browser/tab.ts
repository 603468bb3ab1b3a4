import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../../functions/shared/contract/defined.ts';

const chromium = '/usr/bin/chromium';
export const hasChromium = existsSync(chromium);

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage'],
  ...['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ...['--hide-scrollbars', '--remote-debugging-port=0', 'about:blank'],
];

// biome-ignore lint/suspicious/noExplicitAny: only tests read the responses of the protocol.
type Json = any;

/**
 * One tab of a headless Chromium, driven by the DevTools protocol.
 * https://chromedevtools.github.io/devtools-protocol/
 */
export class Tab {
  readonly #socket: WebSocket;
  readonly #end: () => Promise<void>;
  readonly #waiting = new Map<number, (message: Json) => void>();
  #sent = 0;
  /** Width in pixels and color scheme, as set by {@link emulate}. */
  emulation: [width: number, scheme: 'light' | 'dark'] = [800, 'light'];

  private constructor(socket: WebSocket, end: () => Promise<void>) {
    this.#socket = socket;
    this.#end = end;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data));
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    });
  }

  static async start(): Promise<Tab> {
    const profile = await mkdtemp(join(tmpdir(), 'vouchsafe-chromium-'));
    // In its own process group, so that all processes of Chromium can be ended together.
    const browser = spawn(chromium, [`--user-data-dir=${profile}`, ...flags], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(browser, 'exit');
    const end = async () => {
      if (browser.pid !== undefined && browser.exitCode === null) process.kill(-browser.pid, 'SIGKILL');
      await exited.catch(() => {});
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    };
    try {
      const { host } = new URL(await debuggerUrl(browser.stderr));
      const targets: Json = await (await fetch(`http://${host}/json/list`)).json();
      const socket = new WebSocket(targets.find(({ type }: Json) => type === 'page').webSocketDebuggerUrl);
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve);
        socket.addEventListener('error', () => reject(new Error('The DevTools connection failed')));
      });
      return new Tab(socket, end);
    } catch (error) {
      await end();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.#end();
  }

  async send(method: string, params: object = {}): Promise<Json> {
    this.#sent += 1;
    const id = this.#sent;
    const response = new Promise<Json>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await response;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async open(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
  }

  async evaluate(expression: string): Promise<Json> {
    return (await this.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  }

  /** Waits until the expression is true in the current page. */
  async until(expression: string): Promise<void> {
    for (let i = 0; i < 400; i += 1) {
      // Evaluation fails while the tab navigates.
      if (await this.evaluate(`document.readyState === 'complete' && (${expression})`).catch(() => false))
        return;
      await sleep(50);
    }
    const page = await this.evaluate('location.href + " " + document.body.innerText.slice(0, 300)');
    throw new Error(`Timed out waiting for ${expression}; the page is ${page}`);
  }

  heading(text: string): Promise<void> {
    return this.until(`document.querySelector('h1')?.innerText.includes(${JSON.stringify(text)})`);
  }

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text });
  }

  async press(key: 'Enter' | 'Tab'): Promise<void> {
    const code = { Enter: 13, Tab: 9 }[key];
    const event = {
      key,
      code: key,
      windowsVirtualKeyCode: code,
      ...defined({ text: key === 'Enter' ? '\r' : undefined }),
    };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  async click(selector: string): Promise<void> {
    const { root } = await this.send('DOM.getDocument');
    const { nodeId } = await this.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    await this.send('DOM.scrollIntoViewIfNeeded', { nodeId });
    const { quads } = await this.send('DOM.getContentQuads', { nodeId });
    const [x1, y1, , , x2, y2] = quads[0];
    const at = { x: (x1 + x2) / 2, y: (y1 + y2) / 2, button: 'left', clickCount: 1 };
    await this.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
    await this.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
  }

  async emulate(width: number, scheme: 'light' | 'dark'): Promise<void> {
    this.emulation = [width, scheme];
    const metrics = { width, height: 800, deviceScaleFactor: 1, mobile: false };
    await this.send('Emulation.setDeviceMetricsOverride', metrics);
    await this.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    });
  }

  async screenshot(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { captureBeyondViewport: true });
    return Buffer.from(data, 'base64');
  }
}

async function debuggerUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, url] = /DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      output.resume();
      return url;
    }
  }
  throw new Error('Chromium exited before DevTools was ready');
}
