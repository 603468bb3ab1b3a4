/** The script of the pages on a local stack: the examples have the ids and keys of the demo data, and can be run. */
import './main.ts';
import { elements } from './elements.ts';
import { filled } from './fill.ts';

interface Request {
  readonly method: string;
  readonly target: string;
  readonly authorization?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly value: Readonly<Record<string, string>> };
}

const root = document.documentElement.dataset.root ?? './';

/** The examples as they were sent, by their elements. */
const templates = new Map<HTMLElement, string>();
let values: Promise<Record<string, string>>;

/** Fills the examples with the data that exists now: a request can end what the others name. */
async function fill(): Promise<void> {
  values = fetch(`${root}_local/examples`).then((response) => (response.ok ? response.json() : {}));
  const present = await values;
  for (const [one, template] of templates) one.textContent = filled(template, present);
}

async function start(): Promise<void> {
  for (const one of elements('article[data-request] pre.example code')) templates.set(one, one.textContent);
  await fill();
  for (const article of elements('article[data-request]')) addRun(article, article.dataset.request ?? '{}');
}

/** @param template of the request, as JSON. */
function addRun(article: HTMLElement, template: string): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'run';
  button.textContent = 'Run';
  const output = document.createElement('div');
  output.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    // A disabled button would lose the focus of the keyboard.
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    const pre = document.createElement('pre');
    pre.className = 'output';
    // A part that scrolls needs a tab stop.
    pre.tabIndex = 0;
    const code = document.createElement('code');
    const request: Request = JSON.parse(filled(template, await values));
    code.append(await answerOf(request));
    pre.append(code);
    output.replaceChildren(pre);
    article.querySelector('.code .answer')?.remove();
    if (request.method !== 'GET') await fill();
    button.ariaDisabled = 'false';
  });
  article.querySelector('.languages')?.prepend(button);
  // Where the example of an answer is, which it replaces.
  article.querySelector('.code')?.append(output);
}

/** Sends a request to the stack. Returns its status and its body, in lines. */
async function answerOf({ method, target, authorization, headers, body }: Request): Promise<string> {
  try {
    const sent = new Headers(headers);
    if (authorization !== undefined) sent.set('authorization', authorization);
    if (body !== undefined) sent.set('content-type', body.type);
    const response = await fetch(root + target.slice(1), { method, headers: sent, body: textOf(body) });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return `${response.status} ${response.statusText}\n${isJson ? JSON.stringify(JSON.parse(text), undefined, 2) : text.slice(0, 2_000)}`;
  } catch (error) {
    return `The stack does not answer: ${String(error)}`;
  }
}

function textOf(body: Request['body']): string | null {
  if (body === undefined) return null;
  const isForm = body.type !== 'application/json';
  return isForm ? String(new URLSearchParams(body.value)) : JSON.stringify(body.value);
}

void start();
