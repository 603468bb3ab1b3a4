/** How a language writes values. */
export interface Syntax {
  text(text: string): string;
  /** The name of a field. */
  name(name: string): string;
  /** True, false or nothing. */
  word(value: boolean | null): string;
  /** One level of indentation. */
  readonly indent: string;
  /** Inside of the braces of an object in one line. */
  readonly space: string;
}

/** A value in a language, in one line where that is short. @param indent of the line that it begins on. */
export function literal(value: unknown, syntax: Syntax, indent = ''): string {
  if (value === null || typeof value === 'boolean') return syntax.word(value);
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = indent + syntax.indent;
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, syntax, inner))
    : Object.entries(value).map(([name, one]) => `${syntax.name(name)}: ${literal(one, syntax, inner)}`);
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', syntax.space];
  if (parts.length === 0) return `${open}${close}`;
  const line = `${open}${space}${parts.join(', ')}${space}${close}`;
  if (line.length <= 60 && !line.includes('\n')) return line;
  return [open, ...parts.map((part) => `${inner}${part},`), `${indent}${close}`].join('\n');
}
