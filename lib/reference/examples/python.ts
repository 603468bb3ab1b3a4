import { literal, type Syntax } from './literal.ts';
import { type ExampleRequest, headersOf, isForm } from './request.ts';

/** A request for Python 3 with the package `requests`, in which `api` is the address of the API. */
export function pythonExample(request: ExampleRequest): string {
  const { method, target, body } = request;
  const sent = headersOf(request);
  const own = [
    ...(Object.keys(sent).length === 0 ? [] : [`headers=${literal(sent, python, '    ')}`]),
    ...(body === undefined
      ? []
      : [`${isForm(body) ? 'data' : 'json'}=${literal(body.value, python, '    ')}`]),
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

const pythonWords: Readonly<Record<string, string>> = { true: 'True', false: 'False' };

/** Texts are those of JSON. */
const python: Syntax = {
  text: JSON.stringify,
  name: JSON.stringify,
  word: (value) => pythonWords[String(value)] ?? 'None',
  indent: '    ',
  space: '',
};
