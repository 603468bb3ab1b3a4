import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Method } from '../../functions/shared/contract/route.ts';
import { parameterNames } from '../openapi/paths.ts';
import { conventionsOf, type Service } from './conventions.ts';

/** A new endpoint, as requested. */
export interface Endpoint {
  readonly service: Service;
  /** `plan-archive`: the key of its route, and the name of its files. */
  readonly name: string;
  readonly method: Method;
  readonly path: string;
}

/** A line of an endpoint in a file that stands. */
export interface Line {
  readonly file: string;
  /** The exported record that ends with it, as a pattern, or a heading. */
  readonly below: string;
  readonly line: string;
  readonly imports?: string;
}

/**
 * The texts of an endpoint that returns its input: its own files, and its lines in others.
 *
 * @param exists whether the project has a file.
 */
export function textsOf(endpoint: Endpoint, exists: (file: string) => boolean) {
  const { service, name, method, path } = endpoint;
  const values = valuesOf(endpoint);
  const { sample } = conventionsOf(service);
  const variable = camel(name);
  const entry = (value: string) => `'${name}': ${value}`;
  const importOf = (what: string, file: string) => `import { ${what} } from '${file}';\n`;
  const contract = `contracts/${name}.ts`;
  const samples = `test/support/samples/${sample.file ?? `${service}.ts`}`;
  const forms = `functions/console-operations/${service}.ts`;
  const files: readonly (readonly [string, string])[] = [
    [`functions/${service}/${contract}`, filled('contract.ts.template', values)],
    [`functions/${service}/${name}.ts`, filled('endpoint.ts.template', values)],
    [`test/handlers/functions/${service}/${name}.test.ts`, filled('test.ts.template', values)],
  ];
  const lines: Line[] = [
    {
      file: `functions/${service}/routes.ts`,
      below: 'routes',
      line: entry(`${variable}Route`),
      imports: importOf(`${variable}Route`, `./${contract}`),
    },
    {
      file: exists(samples) ? samples : 'test/support/samples/requests.ts',
      below: '\\w*[sS]amples',
      line: `'${values.id}': ${sample.text.replace('FIELDS', values.sample ?? '')}`,
    },
    { file: 'CHANGELOG.md', below: '## Unreleased', line: `- \`${method} ${path}\`: ${values.words}.\n` },
  ];
  if (values.title === undefined || !exists(forms)) return { files, lines };
  const ofForms: Line[] = [
    {
      file: `functions/console-operations/contracts/${service}.ts`,
      below: 'commands',
      line: entry(`${variable}Route`),
      imports: importOf(`${variable}Route`, `../../${service}/${contract}`),
    },
    {
      file: forms,
      below: 'handler',
      line: entry(`handle${values.Name}`),
      imports: importOf(`handle${values.Name}`, `../${service}/${name}.ts`),
    },
  ];
  return { files, lines: [...lines, ...ofForms] };
}

/** The values of the names in the templates. A name has none where this endpoint does without. */
function valuesOf({ service, name, method, path }: Endpoint) {
  const { auth, operatorScope, invalid, limited, failed, refusals } = conventionsOf(service);
  const isProven = auth === 'proof';
  const takesBody = ['POST', 'PUT', 'PATCH'].includes(method);
  // Writes are rate limited where anyone may call, or where authentication itself costs work.
  const isLimited = takesBody && (isProven || auth === 'none');
  const params = parameterNames(path).map((field) => ({ field, from: 'params', value: `'${field}-1'` }));
  const returned = [...params, ...(takesBody ? [{ field: 'name', from: 'body', value: "'Example'" }] : [])];
  const each = (format: (one: (typeof returned)[number]) => string) =>
    returned.map((one) => `${format(one)}, `).join('');
  const parts = listed(new Set(returned.map(({ from }) => from)));
  const user = isProven ? 'userId' : undefined;
  const userSample = user && 'userId: account.userId';
  const nameField = 'name: z.string().check(z.minLength(1), z.maxLength(100))';
  const Name = capitalized(camel(name));
  const words = capitalized(name.replaceAll('-', ' '));
  const authenticator = isProven ? 'authenticateVaultCaller' : `${auth}Caller`;
  const caller = auth === 'none' ? undefined : authenticator;
  return {
    service,
    name,
    method,
    path,
    auth,
    operatorScope,
    // Operators carry out a command in the console, too.
    title: operatorScope !== undefined && method !== 'GET' ? words : undefined,
    user,
    grants: isProven ? "{ table: { ACCESSTOKEN: ['GetItem'] } }" : '{}',
    Name,
    variable: camel(name),
    id: `${service}.${name}`,
    words,
    window: isLimited ? 'minuteMs' : undefined,
    params: listed(params.map(({ field }) => `${field}: z.string()`)),
    query: takesBody ? undefined : user,
    body: takesBody ? listed([user, nameField]) : undefined,
    response: each(({ field }) => `${field}: z.string()`),
    invalid: returned.length > 0 || isProven ? invalid : undefined,
    limited: isLimited ? limited : undefined,
    failed,
    also: listed(refusals.filter((code) => !isLimited || code !== limited).map((code) => `'${code}'`)),
    caller,
    callerModule: isProven ? './authenticate.ts' : '../shared/auth/bearer.ts',
    input: parts === undefined ? '' : `{ ${parts} }`,
    result: each(({ field, from }) => `${field}: ${from}.${field}`),
    steps: listed([`${camel(name)}Route`, `handle${Name}`, caller]),
    expected: each(({ field, value }) => `${field}: ${value}`),
    sample: listed([
      within('params', listed(params.map(({ field, value }) => `${field}: ${value}`))),
      within('query', takesBody ? undefined : userSample),
      within('body', takesBody ? listed([userSample, "name: 'Example'"]) : undefined),
    ]),
  };
}

/** The text of a template. A line that names an absent value is left out. */
function filled(template: string, values: Readonly<Record<string, string | undefined>>): string {
  const text = readFileSync(join(import.meta.dirname, 'templates', template), 'utf8');
  const placeholders = /\{\{(\w+)\}\}/g;
  const isComplete = (line: string) =>
    [...line.matchAll(placeholders)].every(([, name = '']) => values[name] !== undefined);
  return text
    .split('\n')
    .filter(isComplete)
    .map((line) => line.replaceAll(placeholders, (_, name: string) => values[name] ?? ''))
    .join('\n');
}

/** Texts in a list, without those that are absent; undefined when all are. */
function listed(texts: Iterable<string | undefined>): string | undefined {
  const present = [...texts].filter((text) => text !== undefined);
  return present.length === 0 ? undefined : present.join(', ');
}

const within = (name: string, fields: string | undefined) => fields && `${name}: { ${fields} }`;
const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const camel = (name: string) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
