// A fresh process that does what Lambda's does: import the bundle, answer the first request.
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

const [, , bundle = '', event = '{}'] = process.argv;
const start = performance.now();
const { handler } = await import(pathToFileURL(bundle).href);
const imported = performance.now();
const result = await handler(JSON.parse(event), {});
const answered = performance.now();
const { statusCode } = result;
process.stdout.write(JSON.stringify({ initMs: imported - start, firstMs: answered - imported, statusCode }));
process.exit(0);
