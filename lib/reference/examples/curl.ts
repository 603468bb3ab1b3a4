import { type ExampleRequest, headersOf, isForm } from './request.ts';

/** A request as a command for a POSIX shell with curl, in which `$api` is the address of the API. */
export function curlExample(request: ExampleRequest): string {
  const { method, target, body } = request;
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  return [
    `curl ${isImplied ? '' : `-X ${method} `}"$api${target}"`,
    ...Object.entries(headersOf(request)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...bodyArguments(body),
  ].join(' \\\n  ');
}

function bodyArguments(body: ExampleRequest['body']): string[] {
  if (body === undefined) return [];
  if (isForm(body))
    return Object.entries(body.value).map(([name, one]) => `--data-urlencode ${quoted(`${name}=${one}`)}`);
  return [
    `-H ${quoted(`content-type: ${body.type}`)}`,
    `-d ${quoted(JSON.stringify(body.value, undefined, 2))}`,
  ];
}

/** A word of a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
