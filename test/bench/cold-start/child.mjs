// A new process that does what Lambda does: load the bundle, then handle the first request.
import { subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';

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

// Processor time: what the process waits for is as long for all, and other load on the machine adds little to it.
const usedMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const start = usedMs();
const { handler } = require(bundle);
const loaded = usedMs();
const result = await handler(JSON.parse(event), {});
const answered = usedMs();
const times = { loadMs: loaded - start, firstMs: answered - loaded };
process.stdout.write(JSON.stringify({ ...times, calls, statusCode: result?.statusCode ?? 200 }));
process.exit(0);
