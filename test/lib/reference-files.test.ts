import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeReferenceFiles } from '../../lib/reference-files.ts';
import { call } from '../support/call.ts';

let directory: string;
let page: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vouchsafe-reference-'));
  await writeReferenceFiles(directory);
  page = await readFile(join(directory, 'docs.html'), 'utf8');
});

afterAll(() => rm(directory, { recursive: true }));

test('the page runs its own scripts and no others: each stands in its policy by hash', () => {
  const [, policy = ''] = /http-equiv="content-security-policy" content="([^"]+)"/.exec(page) ?? [];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toMatch(/https?:|\*/);
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text ?? '');
  expect(scripts).toHaveLength(2);
  for (const text of scripts) {
    expect(policy).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
});

test('the page names no file of another host to load', () => {
  const elements = page.replace(/<script>[\s\S]*?<\/script>/g, '').replace(/<style>[\s\S]*?<\/style>/g, '');
  expect(elements).not.toMatch(/https?:\/\//);
  expect(elements).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="(?!data:)/);
});

test('both are served as they were written', async () => {
  process.env.FILES_DIR = directory;
  const document = await call('reference.document');
  expect(document.body).toEqual(JSON.parse(await readFile(join(directory, 'openapi.json'), 'utf8')));
  const html = await call('reference.page');
  expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(html.text).toBe(page);
});

test('a file that was not packed is a 500, and no path of the machine is told', async () => {
  process.env.FILES_DIR = join(directory, 'absent');
  const answer = await call('reference.page');
  expect(answer.status).toBe(500);
  expect(answer.text).not.toContain(directory);
});
