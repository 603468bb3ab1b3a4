import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorTable } from '../../../functions/shared/contract/errors.ts';
import { type Block, blocksOf } from '../../support/examples/blocks.ts';
import { asShown, shownLines } from '../../support/examples/shown-output.ts';
import { freePort } from '../../support/server.ts';
import { startSubscriptionStack } from '../../support/subscriptions/stack.ts';
import { nodeTypes, typeFindings } from '../lib/client/type-findings.ts';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'docs/guides');
const index = readFileSync(join(folder, 'README.md'), 'utf8');
const guides = readdirSync(folder)
  .filter((file) => file !== 'README.md')
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

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
    PATH: process.env.PATH,
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
});
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
