import { smoke } from '../lib/smoke/smoke.ts';

process.exitCode = await smoke(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  say: (text) => process.stderr.write(text),
});
