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

async function start(): Promise<void> {
  const response = await fetch(`${root}_local/examples`);
  const values: Record<string, string> = response.ok ? await response.json() : {};
  for (const article of elements('article[data-request]')) {
    for (const code of article.querySelectorAll('pre.example code'))
      code.textContent = filled(code.textContent, values);
    const request: Request = JSON.parse(filled(article.dataset.request ?? '{}', values));
    addRun(article, request);
  }
}

function addRun(article: HTMLElement, request: Request): void {
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
    code.append(await answerOf(request));
    pre.append(code);
    output.replaceChildren(pre);
    article.querySelector('.code .answer')?.remove();
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
