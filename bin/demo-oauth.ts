import { demoOAuth } from '../lib/demo-oauth/demo-oauth.ts';

const ended = new AbortController();
process.once('SIGINT', () => ended.abort()).once('SIGTERM', () => ended.abort());

process.exitCode = await demoOAuth(process.argv.slice(2), {
  env: process.env,
  out: (text) => process.stdout.write(text),
  say: (text) => process.stderr.write(text),
  signal: ended.signal,
});
