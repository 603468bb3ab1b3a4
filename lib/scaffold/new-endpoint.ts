import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { registeredRoutes, services } from '../../functions/routes.ts';
import type { Method } from '../../functions/shared/contract/route.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { pathsOf } from '../openapi/paths.ts';
import { conventionsOf, mostCommon, type Service } from './conventions.ts';
import { type Endpoint, type Line, textsOf } from './templates.ts';

/** The endpoint cannot be created as requested. The message is for the caller; nothing was written. */
export class EndpointRefused extends Error {}

/** The arguments of `npm run new-endpoint`. Defaults: GET, and the name below the resource of the service. */
export interface EndpointRequest {
  service: string;
  name: string;
  method?: string | undefined;
  path?: string | undefined;
}

export const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Writes a new endpoint: its contract, its file and a test; its lines in the routes, the sample requests and the changelog and, for
 * a command of operators, in the forms of the console. The endpoint returns its input.
 *
 * @param root the project's directory.
 * @returns the files that were written, relative to `root`. They are not formatted yet.
 * @throws EndpointRefused for an unknown service, or a name or path that is malformed or already in use.
 */
export function writeEndpoint(root: string, request: EndpointRequest): string[] {
  const endpoint = endpointOf(request);
  const reason = malformed(endpoint) ?? takenName(root, endpoint) ?? takenPath(endpoint);
  if (reason !== undefined) throw new EndpointRefused(reason);
  const { files, lines } = textsOf(endpoint, (file) => existsSync(join(root, file)));
  const changed = lines.map((one): [string, string] => [
    one.file,
    withLine(readFileSync(join(root, one.file), 'utf8'), one),
  ]);
  const written = [...changed, ...files];
  for (const [file, text] of written) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return written.map(([file]) => file);
}

/** Adds a line below a heading, or at the end of the exported record of this name. */
function withLine(source: string, { file, below, line, imports = '' }: Line): string {
  const untilEnd = `^export const ${below}\\b[^\\n]*\\{.*?(?=,?\\s*(\\n\\}|\\} satisfies))`;
  const isHeading = below.startsWith('#');
  const found = isHeading
    ? new RegExp(`^${below}\\n`, 'm').exec(source)
    : new RegExp(untilEnd, 'ms').exec(source);
  if (found === null) throw new EndpointRefused(`${file} has no ${below}.`);
  const end = found.index + found[0].length;
  return `${imports}${source.slice(0, end)}${isHeading ? '' : ','}\n${line}${source.slice(end)}`;
}

function endpointOf({ service, name, method = 'GET', path }: EndpointRequest): Endpoint {
  if (!isService(service)) {
    const known = Object.keys(services).join(', ');
    throw new EndpointRefused(`There is no service "${service}". The services are ${known}.`);
  }
  if (!isMethod(method))
    throw new EndpointRefused(`"${method}" is no method of the API. The methods are ${methods.join(', ')}.`);
  return { service, name, method, path: path ?? `${resourceOf(service)}/${name}` };
}

const isService = (service: string): service is Service => Object.hasOwn(services, service);
const isMethod = (method: string): method is Method => methods.some((one) => one === method);

/** The beginning of the paths of a service: up to its name, or to the first resource that most of them name. */
function resourceOf(service: Service): string {
  const paths = registeredRoutes().flatMap((one) => (one.service === service ? [one.route.path] : []));
  const starts = (pattern: RegExp) => mostCommon(paths.flatMap((path) => pattern.exec(path)?.[0] ?? []));
  const resource = /^(\/api(\/v1|\/operator)?)?\/[^/{]+/;
  return starts(new RegExp(`^[^{]*?/${service}(?=/|$)`)) ?? starts(resource) ?? `/api/${service}`;
}

function malformed({ service, name, path }: Endpoint): string | undefined {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return `"${name}" is no name of an endpoint: write it like plan-archive.`;
  if (!/^(\/([A-Za-z0-9._~-]+|\{[a-z][A-Za-z0-9]*\}))+$/.test(path))
    return `"${path}" is no path: write it like /api/things/{id}.`;
  const variables = path.split('/').filter(isVariable);
  if (new Set(variables).size < variables.length) return `${path} names a variable twice.`;
  if (conventionsOf(service).auth === 'operator' && !path.startsWith('/api/operator/'))
    return `A path of the service ${service} begins with /api/operator/.`;
  return undefined;
}

function takenName(root: string, endpoint: Endpoint): string | undefined {
  const id = `${endpoint.service}.${endpoint.name}`;
  if ([...registeredRoutes(), ...registeredTimers()].some((entry) => entry.id === id))
    return `${id} exists already.`;
  const folder = `functions/${endpoint.service}/${endpoint.name}`;
  const own = textsOf(endpoint, () => true).files.map(([file]) => file);
  const taken = [folder, ...own].find((file) => existsSync(join(root, file)));
  return taken && `${taken} exists already.`;
}

function takenPath({ method, path }: Endpoint): string | undefined {
  for (const { id, route } of registeredRoutes()) {
    for (const other of pathsOf(route)) {
      if (route.method === method && shapeOf(other) === shapeOf(path))
        return `${method} ${path} is taken by ${id}.`;
      const conflict = conflictingVariable(path, other);
      if (conflict !== undefined)
        return `API Gateway wants one name for a variable: it is ${conflict} at its place in ${other} (${id}).`;
    }
  }
  return undefined;
}

/** Two paths of one shape match the same requests. */
const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
const isVariable = (segment = '') => segment.startsWith('{');

/** The other path's variable where both have one after the same segments, under different names. */
function conflictingVariable(path: string, other: string): string | undefined {
  const ours = path.split('/');
  const theirs = other.split('/');
  const place = theirs.findIndex((segment, i) => segment !== ours[i]);
  return isVariable(ours[place]) && isVariable(theirs[place]) ? theirs[place] : undefined;
}
