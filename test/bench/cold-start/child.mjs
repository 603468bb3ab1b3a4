// A new process that does what Lambda does: load the bundle, then handle the first request.
import { subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

// Lambda's runtime loads such a bundle with require. An import would also determine the type of the module.
// https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/UserFunction.js
const require = createRequire(import.meta.url);

const [, , bundle = '', event = '{}'] = process.argv;
const services = ['DYNAMODB', 'SECRETS_MANAGER', 'SES', 'SFN'];
const hosts = services.map((service) => URL.parse(process.env[`AWS_ENDPOINT_URL_${service}`] ?? '')?.host);
/** Calls to each service. */
const calls = services.map(() => 0);
subscribe('http.client.request.start', (message) => {
  const { request } = /** @type {{ request: import('node:http').ClientRequest }} */ (message);
  const service = hosts.indexOf(String(request.getHeader('host')));
  calls[service] = (calls[service] ?? 0) + 1;
});

const start = performance.now();
const { handler } = require(bundle);
const loaded = performance.now();
const result = await handler(JSON.parse(event), {});
const answered = performance.now();
const times = { loadMs: loaded - start, firstMs: answered - loaded };
process.stdout.write(JSON.stringify({ ...times, calls, statusCode: result?.statusCode ?? 200 }));
process.exit(0);
