import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { registeredRoutes } from '../../functions/routes.ts';
import type { Method } from '../../functions/shared/contract/route.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { pathsOf } from '../deployment/gateway/paths.ts';
import { conventions, type Service } from './conventions.ts';
import {
  budgetRow,
  contractEntry,
  contractFile,
  contractImport,
  type Endpoint,
  endpointFile,
  sampleEntry,
  testFile,
} from './templates.ts';

/** The endpoint cannot be created as requested. The message is for the caller; nothing was written. */
export class EndpointRefused extends Error {}

/** The arguments of `npm run new-endpoint`. Defaults: GET, and `/api/<service>/<name>`. */
export interface EndpointRequest {
  service: string;
  name: string;
  method?: string | undefined;
  path?: string | undefined;
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const pathPattern = /^(\/([A-Za-z0-9._~-]+|\{[a-z][A-Za-z0-9]*\}))+$/;

/**
 * Writes a new endpoint: its contract, its file, a sample request, a test and its budget of round trips. The
 * endpoint returns its input.
 *
 * @param root the project's directory.
 * @returns the files that were written, relative to `root`. They are not formatted yet.
 * @throws EndpointRefused for an unknown service, or a name or path that is malformed or already in use.
 */
export function writeEndpoint(root: string, request: EndpointRequest): string[] {
  const endpoint = checked(root, request);
  const changes = filesOf(root, endpoint);
  for (const [file, content] of changes) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  return changes.map(([file]) => file);
}

function checked(root: string, request: EndpointRequest): Endpoint {
  const { service, name, method = 'GET' } = request;
  if (!isService(service)) {
    throw new EndpointRefused(
      `There is no service "${service}". The services are ${Object.keys(conventions).join(', ')}.`,
    );
  }
  if (!namePattern.test(name)) {
    throw new EndpointRefused(`"${name}" is no name of an endpoint: write it like plan-archive.`);
  }
  if (!isMethod(method)) {
    throw new EndpointRefused(`"${method}" is no method of the API. The methods are ${methods.join(', ')}.`);
  }
  const endpoint = { service, name, method, path: request.path ?? `/api/${service}/${name}` };
  refuseTakenName(root, endpoint);
  refusePath(endpoint);
  return endpoint;
}

const isService = (service: string): service is Service => Object.hasOwn(conventions, service);
const isMethod = (method: string): method is Method => (methods as readonly string[]).includes(method);

function refuseTakenName(root: string, endpoint: Endpoint): void {
  const { service, name } = endpoint;
  const id = `${service}.${name}`;
  if ([...registeredRoutes(), ...registeredTimers()].some((entry) => entry.id === id)) {
    throw new EndpointRefused(`${id} exists already.`);
  }
  for (const file of [`functions/${service}/${name}`, endpointPath(service, name), testPath(service, name)]) {
    if (existsSync(join(root, file))) throw new EndpointRefused(`${file} exists already.`);
  }
}

function refusePath({ service, method, path }: Endpoint): void {
  if (!pathPattern.test(path)) {
    throw new EndpointRefused(`"${path}" is no path: write it like /api/things/{id}.`);
  }
  const names = segmentsOf(path).filter(isVariable);
  if (new Set(names).size < names.length) throw new EndpointRefused(`${path} names a variable twice.`);
  if (isForOperators(service) && !path.startsWith('/api/operator/')) {
    throw new EndpointRefused(`A path of the service ${service} begins with /api/operator/.`);
  }
  for (const { id, route } of registeredRoutes()) {
    for (const other of pathsOf(route)) {
      if (route.method === method && shapeOf(other) === shapeOf(path)) {
        throw new EndpointRefused(`${method} ${path} is taken by ${id}.`);
      }
      const conflict = conflictingVariable(path, other);
      if (conflict !== undefined) {
        throw new EndpointRefused(
          `API Gateway wants one name for a variable: it is ${conflict} at its place in ${other} (${id}).`,
        );
      }
    }
  }
}

const segmentsOf = (path: string) => path.split('/');
const isVariable = (segment: string) => segment.startsWith('{');
/** Two paths of one shape match the same requests. */
const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

/** The other path's variable where both have one after the same segments, under different names. */
function conflictingVariable(path: string, other: string): string | undefined {
  const segments = segmentsOf(path);
  for (const [i, theirs] of segmentsOf(other).entries()) {
    const ours = segments[i];
    if (ours === theirs) continue;
    return ours !== undefined && isVariable(ours) && isVariable(theirs) ? theirs : undefined;
  }
  return undefined;
}

const isForOperators = (service: Service) => conventions[service].auth === 'operator';
const endpointPath = (service: string, name: string) => `functions/${service}/${name}.ts`;
const contractPath = (service: string, name: string) => `functions/${service}/contracts/${name}.ts`;
const testPath = (service: string, name: string) => `test/handlers/functions/${service}/${name}.test.ts`;

/** Every file to write, with its content. */
function filesOf(root: string, endpoint: Endpoint): [file: string, content: string][] {
  const { service, name } = endpoint;
  const edited = (file: string, edit: (source: string) => string): [string, string] => [
    file,
    edit(readFileSync(join(root, file), 'utf8')),
  ];
  const files = [
    edited(`functions/${service}/routes.ts`, (source) =>
      append(
        contractImport(endpoint) + source,
        /^export const routes = \{$/m,
        '\n} satisfies Routes;',
        contractEntry(endpoint),
      ),
    ),
    edited(`test/support/samples/${conventions[service].samples}`, (source) =>
      append(source, /^export const \w*[sS]amples: Record<.*> = \{$/m, '\n};', sampleEntry(endpoint)),
    ),
    edited('test/bench/budgets.ts', (source) =>
      append(source, /^export const roundTrips: .* = \{$/m, '\n};', budgetRow(endpoint)),
    ),
  ];
  files.push([contractPath(service, name), contractFile(endpoint)]);
  files.push([endpointPath(service, name), endpointFile(endpoint)]);
  files.push([testPath(service, name), testFile(endpoint)]);
  return files;
}

/** Adds an entry at the end of the list or record that begins at `start`. */
function append(source: string, start: RegExp, end: string, entry: string): string {
  const from = source.search(start);
  const at = from < 0 ? -1 : source.indexOf(end, from);
  if (at < 0)
    throw new EndpointRefused(`A source of the project has changed its form: nothing like ${start}.`);
  return `${source.slice(0, at)}\n${entry}${source.slice(at + 1)}`;
}
