/** A request before it is sent: it can be changed part by part, and written as bytes. */
export interface Draft {
  /** The id of the route. */
  id: string;
  method: string;
  /** As in the registry: `/api/thing/{id}`. */
  path: string;
  /** Decoded values of the path's parameters. */
  params: Record<string, string>;
  query: [name: string, value: string][];
  headers: [name: string, value: string][];
  /** The value of a JSON body or the fields of a form; texts and bytes are sent unchanged. */
  body: unknown;
  form: boolean;
  /** Replaces the request target. */
  target?: string;
  /** Whose credentials it carries: the owner of the records, nobody, or another. */
  credential: string;
}

/** The path and query as sent. */
export function targetOf({ target, path, params, query }: Draft): string {
  if (target !== undefined) return target;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name] ?? ''));
  const pairs = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** Percent-encoded as UTF-8. A lone surrogate becomes the bytes that encode it, which no decoder accepts. */
function encoded(text: string): string {
  return [...text]
    .map((character) =>
      /^[\ud800-\udfff]$/.test(character)
        ? [...Buffer.from([0xed, 0xa0 | ((character.charCodeAt(0) >> 6) & 0x1f), 0x80])]
            .map((byte) => `%${byte.toString(16)}`)
            .join('')
        : encodeURIComponent(character),
    )
    .join('');
}

/** The body as sent; undefined without a body. */
export function bodyOf({ body, form }: Draft): Buffer | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body);
  if (typeof body === 'string') return Buffer.from(body);
  if (form) return Buffer.from(new URLSearchParams(Object.entries(body as object)).toString());
  return Buffer.from(JSON.stringify(body));
}

/** Control characters of a header would end it. They are removed, as an HTTP client does. */
const headerText = (text: string): Buffer => Buffer.from(text.replaceAll(/[\r\n\0]/g, ''), 'utf8');

/** The request as HTTP/1.1. */
export function bytesOf(draft: Draft): Buffer {
  const body = bodyOf(draft);
  const head: Buffer[] = [Buffer.from(`${draft.method} ${targetOf(draft)} HTTP/1.1\r\nhost: localhost\r\n`)];
  const length: [string, string][] = body === undefined ? [] : [['content-length', String(body.length)]];
  for (const [name, value] of [...draft.headers, ...length])
    head.push(Buffer.from(`${name}: `), headerText(value), Buffer.from('\r\n'));
  return Buffer.concat([...head, Buffer.from('\r\n'), body ?? Buffer.alloc(0)]);
}

/** The request as a command for bash. `$api` is the URL of the local stack. */
export function asCurl(draft: Draft): string {
  const body = bodyOf(draft);
  const headers = draft.headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data = body === undefined ? [] : [`--data-binary ${quoted(body)}`];
  return [
    'curl -i --path-as-is -X',
    draft.method,
    ...headers,
    ...data,
    `"$api"${quoted(targetOf(draft))}`,
  ].join(' ');
}

/** ANSI-C quoting of bash. */
function quoted(text: string | Buffer): string {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  const plain = [...bytes].map((byte) => {
    if (byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c) return String.fromCharCode(byte);
    return `\\x${byte.toString(16).padStart(2, '0')}`;
  });
  return `$'${plain.join('')}'`;
}
