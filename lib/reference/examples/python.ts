import { type ExampleRequest, headersOf, isForm } from './request.ts';

/** A request for Python 3 with the package `requests`, in which `api` is the address of the API. */
export function pythonExample(request: ExampleRequest): string {
  const { method, target, body } = request;
  const sent = headersOf(request);
  const own = [
    ...(Object.keys(sent).length === 0 ? [] : [`headers=${literal(sent)}`]),
    ...(body === undefined ? [] : [`${isForm(body) ? 'data' : 'json'}=${literal(body.value)}`]),
  ];
  return [
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    ...[`f"{api}${target}"`, ...own].map((line) => `    ${line},`),
    ')',
    'answer.raise_for_status()',
  ].join('\n');
}

/** A value in Python, whose texts are those of JSON. */
function literal(value: unknown, indent = '    '): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const line = `${open}${parts.join(', ')}${close}`;
  if (line.length <= 60 && !line.includes('\n')) return line;
  return [open, ...parts.map((part) => `${inner}${part},`), `${indent}${close}`].join('\n');
}
