import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call } from '../call.ts';

export const shareScript = 'document.title = "Vouchsafe";';

export const consoleScript = 'addEventListener("keydown", () => {});';

/** Deploys the files of all pages, as a function has its own. One process serves all functions to some tests. */
export function deployedFiles(): Call {
  directory ??= writtenFiles();
  process.env.FILES_DIR = directory;
  return {};
}

let directory: string | undefined;

function writtenFiles(): string {
  const written = mkdtempSync(join(tmpdir(), 'vouchsafe-files-'));
  const files = {
    'share-page.js': shareScript,
    'console.js': consoleScript,
    'vouchsafe-client.json': JSON.stringify({ file: 'vouchsafe-client-0.0.0.tgz', integrity: 'sha512-AA==' }),
    'vouchsafe-client.tar': 'package',
    'openapi.json': '{"openapi":"3.1.1"}',
    'docs.html': '<!doctype html><title>Vouchsafe</title>',
    'docs.json': JSON.stringify({ subscriptions: '<!doctype html><title>Vouchsafe</title>' }),
    'docs.csp': "default-src 'none'",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(written, name), text);
  return written;
}
