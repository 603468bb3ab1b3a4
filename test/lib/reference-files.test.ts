import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxResultBytes } from '../../functions/shared/contract/route.ts';
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

test('the page runs only its own scripts, whose hashes are in its policy', () => {
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

test('the page loads nothing from another host', () => {
  const elements = page.replace(/<script>[\s\S]*?<\/script>/g, '').replace(/<style>[\s\S]*?<\/style>/g, '');
  expect(elements).not.toMatch(/https?:\/\//);
  expect(elements).not.toMatch(/<(script|link|img|iframe)[^>]+(src|href)="(?!data:)/);
});

test('the document and the page fit into a result of Lambda', async () => {
  const document = JSON.parse(await readFile(join(directory, 'openapi.json'), 'utf8'));
  for (const body of [page, JSON.stringify(document)])
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(maxResultBytes / 2);
});

test('the document and the page are served as they were written', async () => {
  process.env.FILES_DIR = directory;
  const document = await call('reference.document');
  expect(document.body).toEqual(JSON.parse(await readFile(join(directory, 'openapi.json'), 'utf8')));
  const html = await call('reference.page');
  expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(html.text).toBe(page);
});

test('a missing file is a 500 that does not reveal a path of the machine', async () => {
  process.env.FILES_DIR = join(directory, 'absent');
  const response = await call('reference.page');
  expect(response.status).toBe(500);
  expect(response.text).not.toContain(directory);
});
