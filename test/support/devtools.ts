import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const chromium = '/usr/bin/chromium';
export const hasChromium = existsSync(chromium);

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage'],
  ...['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ...['--hide-scrollbars', '--remote-debugging-port=0', 'about:blank'],
];

// biome-ignore lint/suspicious/noExplicitAny: what the protocol answers is read by tests alone.
type Json = any;

/** One tab of a headless Chromium, driven by its DevTools protocol. https://chromedevtools.github.io/devtools-protocol/ */
export class Tab {
  readonly #socket: WebSocket;
  readonly #end: () => Promise<void>;
  readonly #waiting = new Map<number, (message: Json) => void>();
  #sent = 0;
  /** Width in pixels and colour scheme, as {@link look} set them. */
  looks: [width: number, scheme: 'light' | 'dark'] = [800, 'light'];

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
    // A group of its own: Chromium is several processes, and all of them end with it.
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
      const { host } = new URL(await addressIn(browser.stderr));
      const targets: Json = await (await fetch(`http://${host}/json/list`)).json();
      const socket = new WebSocket(targets.find(({ type }: Json) => type === 'page').webSocketDebuggerUrl);
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve);
        socket.addEventListener('error', () => reject(new Error('Chromium cannot be driven')));
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
    const answer = new Promise<Json>((resolve) => this.#waiting.set(id, resolve));
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async open(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
  }

  async evaluate(expression: string): Promise<Json> {
    return (await this.send('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  }

  /** Waits until the expression holds in the page, whichever that is then. */
  async until(expression: string): Promise<void> {
    for (let i = 0; i < 400; i += 1) {
      // A page that is just being left answers nothing.
      if (await this.evaluate(`document.readyState === 'complete' && (${expression})`).catch(() => false))
        return;
      await sleep(50);
    }
    const seen = await this.evaluate('location.href + " " + document.body.innerText.slice(0, 300)');
    throw new Error(`It never held: ${expression}; the page is ${seen}`);
  }

  heading(text: string): Promise<void> {
    return this.until(`document.querySelector('h1')?.innerText.includes(${JSON.stringify(text)})`);
  }

  /** What is focused gets the text, as from a keyboard. */
  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text });
  }

  async press(key: 'Enter' | 'Tab'): Promise<void> {
    const code = { Enter: 13, Tab: 9 }[key];
    const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' && { text: '\r' }) };
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

  async look(width: number, scheme: 'light' | 'dark'): Promise<void> {
    this.looks = [width, scheme];
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

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, url] = /DevTools listening on (ws:\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      output.resume();
      return url;
    }
  }
  throw new Error('Chromium ended before it could be driven');
}
