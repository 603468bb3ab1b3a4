import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { registeredRoutes } from '../../functions/routes.ts';
import type { Method } from '../../functions/shared/contract/route.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { pathsOf } from '../openapi/paths.ts';
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

/** The arguments of `npm run new-endpoint`. Defaults: GET, and the name below the resource of the service. */
export interface EndpointRequest {
  service: string;
  name: string;
  method?: string | undefined;
  path?: string | undefined;
}

export const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const pathPattern = /^(\/([A-Za-z0-9._~-]+|\{[a-z][A-Za-z0-9]*\}))+$/;

/**
 * Writes a new endpoint: its contract, its file, a sample request, a test and, where its grants name the table,
 * its budget of round trips. The endpoint returns its input.
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
  const endpoint = { service, name, method, path: request.path ?? `${resourceOf(service)}/${name}` };
  refuseTakenName(root, endpoint);
  refusePath(endpoint);
  return endpoint;
}

/** The beginning of the paths of a service: up to its name, or to the first resource that most of them name. */
function resourceOf(service: Service): string {
  const paths = registeredRoutes().flatMap((entry) => (entry.service === service ? [entry.route.path] : []));
  const named = paths.find((path) => `${fixedPart(path)}/`.includes(`/${service}/`));
  if (named !== undefined) return named.slice(0, `${named}/`.indexOf(`/${service}/`) + service.length + 1);
  const resources = Map.groupBy(
    paths,
    (path) => /^(\/api(\/v1|\/operator)?)?\/[^/]+/.exec(fixedPart(path))?.[0],
  );
  const [most] = [...resources].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? `/api/${service}`;
}

/** The path up to its first variable. */
const fixedPart = (path: string) => path.replace(/\/\{.*$/, '');

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
  const budget = budgetRow(endpoint);
  const files = [
    edited(`functions/${service}/routes.ts`, (source) =>
      append(contractImport(endpoint) + source, /^routes$/, contractEntry(endpoint)),
    ),
    edited(`test/support/samples/${conventions[service].samples}`, (source) =>
      append(source, /samples$/i, sampleEntry(endpoint)),
    ),
  ];
  if (budget !== undefined)
    files.push(edited('test/bench/budgets.ts', (source) => append(source, /^roundTrips$/, budget)));
  files.push([contractPath(service, name), contractFile(endpoint)]);
  files.push([endpointPath(service, name), endpointFile(endpoint)]);
  files.push([testPath(service, name), testFile(endpoint)]);
  return files;
}

/** Adds an entry at the end of the exported record whose name matches, however it is laid out. */
function append(source: string, record: RegExp, entry: string): string {
  const object = exportedRecord(source, record);
  if (object === undefined)
    throw new EndpointRefused(`A source of the project exports no record named like ${record}.`);
  const { properties } = object;
  const comma = properties.length > 0 && !properties.hasTrailingComma ? ',' : '';
  const end = object.getEnd() - 1;
  return [
    source.slice(0, properties.end),
    comma,
    source.slice(properties.end, end).trimEnd(),
    `\n${entry}\n`,
    source.slice(end),
  ].join('');
}

function exportedRecord(source: string, name: RegExp): ts.ObjectLiteralExpression | undefined {
  const { statements } = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest);
  const declared = statements
    .filter(ts.isVariableStatement)
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap(({ declarationList }) => declarationList.declarations);
  for (const declaration of declared) {
    let value = declaration.initializer;
    while (value && (ts.isSatisfiesExpression(value) || ts.isAsExpression(value))) value = value.expression;
    const isNamed = ts.isIdentifier(declaration.name) && name.test(declaration.name.text);
    if (isNamed && value && ts.isObjectLiteralExpression(value)) return value;
  }
  return undefined;
}
