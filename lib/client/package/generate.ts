/**
 * npm run generate:client: writes the sources that follow from the contracts, unless they are there and nothing that they follow
 * from has changed. Git does not have them: a step before the type check, the tests, the local stack and a deployment writes them.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** Begins with the hash. It is no part of the package: who gets that never sees the hash. */
const stamped = 'lib/operator/operations.ts';
const names = ['lib/client/api/schema.ts', 'lib/client/api/operations.ts', stamped];
const header = '// Written by npm run generate:client.';

/** The hash of all files that can change the texts. */
function hashOfSources(): string {
  const sources = globSync('{functions,lib/{openapi,client/package}}/**/*.ts', { cwd: root });
  const hash = createHash('sha256');
  for (const name of ['package-lock.json', ...sources.toSorted()])
    if (!names.includes(name)) hash.update(`${name}\n`).update(readFileSync(join(root, name)));
  return hash.digest('hex');
}

/** Replaces a file as a whole: another command can write or read it at the same time. */
function replace(name: string, text: string): void {
  const written = join(root, `${name}.${process.pid}`);
  writeFileSync(written, text);
  renameSync(written, join(root, name));
}

// Who builds the package from its folder alone has the sources and no contracts.
if (existsSync(join(root, 'functions/routes.ts'))) {
  const stamp = `${header} Sources: ${hashOfSources()}\n`;
  const isThere = names.every((name) => existsSync(join(root, name)));
  if (!isThere || !readFileSync(join(root, stamped), 'utf8').startsWith(stamp)) {
    const { generatedFiles } = await import('./generated-files.ts');
    for (const [name, text] of await generatedFiles())
      replace(name, (name === stamped ? stamp : `${header}\n`) + text);
  }
}
