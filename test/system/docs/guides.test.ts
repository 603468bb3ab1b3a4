import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import ts from 'typescript';
import { errorTable } from '../../../functions/shared/contract/errors.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { type Block, blocksOf } from '../../support/examples/blocks.ts';
import { asShown, outputPattern, shownLines } from '../../support/examples/shown-output.ts';
import { freePort } from '../../support/server.ts';
import { startSubscriptionStack } from '../../support/subscriptions/stack.ts';
import { nodeTypes, typeFindings } from '../lib/client/type-findings.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'docs/guides');
const index = readFileSync(join(folder, 'README.md'), 'utf8');
const guides = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

const { scripts } = packageJson;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** The examples, in the order in which a reader pastes them into one shell. */
const examples = blocksOf(readme.slice(readme.indexOf('## Try it')), 'sh');

/** The lines of the examples that show output. */
const shown = examples.flatMap(shownLines);

/** A program of a guide, and the lines that it prints. */
interface Program {
  language: string;
  source: string;
  shown: string[];
}

/** The programs of a guide: blocks of one language are one program until another language follows. */
function programsOf(blocks: readonly Block[]): Program[] {
  const programs: Program[] = [];
  for (const block of blocks) {
    const last = programs.at(-1);
    if (block.language === 'text') last?.shown.push(...block.source.trimEnd().split('\n'));
    else if (last?.language === block.language) {
      last.source += `\n${block.source}`;
      last.shown.push(...shownLines(block));
    } else programs.push({ ...block, shown: shownLines(block) });
  }
  return programs;
}

let stack: Awaited<ReturnType<typeof startSubscriptionStack>>;
/** The home folder of a reader, and their project in it. */
let home: string;
let project: string;
let env: Record<string, string | undefined>;

/** A program for the stack of this file, and for a port that is free. */
const placed = async (source: string) =>
  source.replaceAll('http://localhost:3000', stack.url).replaceAll('4000', String(await freePort()));

beforeAll(async () => {
  stack = await startSubscriptionStack();
  home = await mkdtemp(join(tmpdir(), 'vouchsafe-guides-'));
  project = join(home, 'first-steps');
  env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    TMPDIR: home,
    PORT: new URL(stack.url).port,
    npm_config_cache: join(home, 'cache'),
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
  };
  const [setup, ...others] = blocksOf(index);
  expect([setup?.language, others]).toEqual(['sh', []]);
  await outputOf('/bin/sh', ['-euc', await placed(setup?.source ?? '')], root);
  env.PATH = [await quickNpm(), env.PATH].join(delimiter);
});
/** A folder with an npm and an npx that start a program at once. A test says which scripts exist. */
async function quickNpm(): Promise<string> {
  const bin = join(home, 'bin');
  await mkdir(bin);
  const start = `"run -s operator") shift 4; exec ${scripts.operator} "$@";;`;
  await writeFile(join(bin, 'npm'), `#!/bin/sh\ncase "$1 $2 $3" in\n${start}\nesac\nexit 1\n`, {
    mode: 0o755,
  });
  await writeFile(join(bin, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  return bin;
}
afterAll(async () => {
  await stack?.stop();
  if (home !== undefined) await rm(home, { recursive: true });
});

/** Runs a program that succeeds, and returns its output. A reader presses Pay on a payment page whose address it prints. */
async function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 90_000 });
  let output = '';
  let errors = '';
  let paid: Promise<unknown> | undefined;
  child.stdout.on('data', (chunk) => {
    output += chunk;
    const [page] = /http\S+\/checkout\/\S+(?=\n)/.exec(output) ?? [];
    if (page !== undefined)
      paid ??= fetch(page, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) });
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close');
  await paid;
  expect(code, `${errors}\n${output}`).toBe(0);
  return output;
}

/** Starts the receiver that the documentation shows, on a port of its own. */
async function startReceiver(port: number, secret: string): Promise<ChildProcess> {
  const documentation = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
  const [{ source } = { source: '' }] = blocksOf(documentation, 'ts');
  expect(source.trimEnd().split('\n')).toHaveLength(15);
  const receiver = spawn(process.execPath, ['--input-type=module-typescript'], {
    cwd: root,
    env: Object.assign({}, env, { WEBHOOK_SECRET: secret }),
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  receiver.stdin?.end(source.replace('4000', String(port)));
  const listens = async () =>
    (await fetch(`http://localhost:${port}`, { method: 'POST', body: '{}' })).status;
  await vi.waitFor(async () => expect(await listens()).toBe(400), 30_000);
  return receiver;
}

describe('the README', () => {
  test('the examples work as pasted, and print what the README shows', async () => {
    const output = await outputOf('/bin/sh', ['-euc', examples.map(({ source }) => source).join('\n')], root);
    expect(shown.length).toBeGreaterThan(examples.length);
    let rest = output.split('\n');
    for (const comment of shown) {
      const found = rest.findIndex((line) => outputPattern(comment).test(line));
      expect(found, `${comment}\nis not in\n${rest.join('\n')}`).toBeGreaterThanOrEqual(0);
      rest = rest.slice(found + 1);
    }
  });

  test('after the examples, a receiver of 15 lines verifies every delivery, although they have moved the clock', async () => {
    const port = await freePort();
    const { applications } = await stack.demo();
    const { _id, apiKey } = applications.offline;
    const { call } = stack.known(_id, apiKey);
    const send = async (method: string, path: string, body?: object) => {
      const answer = await call(method, path, body);
      expect(answer.status, path).toBeLessThan(300);
      return answer.body;
    };
    const to = { url: `http://localhost:${port}`, types: ['*'] };
    const { webhook, secret } = await send('POST', '/api/v1/webhooks', to);
    const receiver = await startReceiver(port, secret);
    try {
      const { now } = await send('GET', '/_local/clock');
      expect(Date.parse(now)).toBeGreaterThan(Date.now() + 10 * dayMs);
      for (const advanceSeconds of [0, dayMs / 1_000, 31 * (dayMs / 1_000)]) {
        await send('POST', `/api/v1/webhooks/${webhook._id}/test`);
        const moved = await send('POST', '/_local/clock', { advanceSeconds });
        expect(moved.stillRunning).toEqual([]);
      }
      const { deliveries } = await send('GET', `/api/v1/webhooks/${webhook._id}/deliveries`);
      // The tests, and the invoice of the next term.
      expect(deliveries.length).toBeGreaterThan(3);
      for (const { attempts } of deliveries) expect(attempts).toMatchObject([{ status: 204 }]);
    } finally {
      receiver.kill();
      await once(receiver, 'close');
    }
  });

  test('the commands of npm in the blocks are scripts of the project', () => {
    const blocks = blocksOf(readme, 'sh')
      .map(({ source }) => source)
      .join('\n');
    const named = [...blocks.matchAll(/npm (?:run (?:-s )?)?([a-z:]+)/g)].map(([, name = '']) => name);
    const commands = named.filter((name) => name !== 'ci');
    expect(commands).toEqual(expect.arrayContaining(['start', 'test', 'operator']));
    for (const name of commands) expect(Object.keys(scripts)).toContain(name);
  });
});

test('the stack serves the client that the guides install', () => {
  expect(existsSync(join(project, 'node_modules/vouchsafe-client/dist/api.js'))).toBe(true);
});

test('the guides have the types of the client', async () => {
  const sources = guides.flatMap(({ file, text }) =>
    programsOf(blocksOf(text))
      .filter(({ language }) => language === 'ts')
      .map(({ source }, i) => [`${file}-${i}`, source] as const),
  );
  expect(sources.length).toBeGreaterThanOrEqual(7);
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, ...nodeTypes };
  const { imported, findings } = await typeFindings(project, Object.fromEntries(sources), options);
  expect(findings).toEqual([]);
  for (const entry of ['api', 'index', 'share', 'vault', 'webhook'])
    expect(imported).toContainEqual(expect.stringMatching(`vouchsafe-client/dist/${entry}.d.ts$`));
});

describe.each(guides)('$file', ({ file, text }) => {
  test('runs as pasted, block after block, and prints what it shows', async () => {
    const blocks = blocksOf(text);
    // Every block is run or compared.
    expect(blocks.filter(({ language }) => !['ts', 'sh', 'text'].includes(language))).toEqual([]);
    expect(blocks[0]?.language).not.toBe('text');
    for (const { language, source, shown } of programsOf(blocks)) {
      const program = await placed(source);
      if (language === 'ts') await writeFile(join(project, 'guide.mts'), program);
      const output =
        language === 'ts'
          ? await outputOf(process.execPath, ['guide.mts'], project)
          : await outputOf('/bin/sh', ['-euc', program], root);
      expect(shown.length).toBeGreaterThan(0);
      expect(asShown(output, shown)).toEqual(shown);
    }
  });

  test('is in the index, says whom it is for and what can go wrong, and has at most two screens', () => {
    const [title = '', , audience = ''] = text.split('\n');
    expect(index).toContain(`[${title.replace('# ', '')}](${file})`);
    expect(audience).toMatch(/^For (developers|people) .*[A-Za-z]/);
    expect(text).toMatch(/^At the end |\. At the end /m);
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(sections.slice(-2)).toEqual(['What can go wrong', 'Read on']);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(95);
  });

  test('names errors that exist', () => {
    const client = readFileSync(join(root, 'lib/client/README.md'), 'utf8');
    const known = [
      ...Object.values(errorTable).map(({ error }) => error),
      ...[...client.matchAll(/`(\w+)`/g)].map(([, code]) => code),
    ];
    const rows = text.slice(text.indexOf('## What can go wrong'), text.indexOf('## Read on'));
    const named = [...rows.matchAll(/\((`\w+`(?:, `\w+`)*)\)/g)].flatMap(([, codes = '']) =>
      codes.split(', ').map((code) => code.replaceAll('`', '')),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((code) => !known.includes(code))).toEqual([]);
  });
});

test('links of the guides into the local stack lead to a page, and to a place on it', async () => {
  const texts = [index, ...guides.map(({ text }) => text)].join('\n');
  const links = new Set(
    [...texts.matchAll(/[(<](http:\/\/localhost:3000[^)>\s]*)[)>]/g)].map(([, link = '']) => link),
  );
  expect(links.size).toBeGreaterThan(5);
  for (const link of links) {
    const { pathname, hash } = new URL(link);
    const page = await fetch(stack.url + pathname);
    const content = await page.text();
    expect(page.status, link).toBe(200);
    if (hash !== '') expect(content.includes(`id="${hash.slice(1)}"`), link).toBe(true);
  }
});
