// The program of cdk.json. It is JavaScript, because the Node.js that starts it may not run TypeScript: npm and npx find the
// Node.js of the project first, and a globally installed `cdk` finds that of the machine.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @param {string} name */
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const own = pathOf('../node_modules/.bin/node');

if (process.features.typescript) {
  await import('../lib/client/package/generate.ts');
  await import('./cdk.ts');
} else if (existsSync(own)) {
  // A shell, because on Windows the command is a script.
  const { status } = spawnSync(`"${own}" "${pathOf('cdk.mjs')}"`, { stdio: 'inherit', shell: true });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write(
    `Node.js ${process.version} does not run TypeScript, and the project has none for this machine: install Node.js 24.\n`,
  );
  process.exitCode = 1;
}
