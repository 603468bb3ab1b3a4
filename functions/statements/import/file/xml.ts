import { UnreadableFile } from './entry.ts';

/** An element as the parser gives it: its children by name, and its text in `#text` and `#cdata`. */
export type XmlNode = Readonly<Record<string, unknown>>;

export function isElement(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The children of a name. An element without children and attributes is parsed as its text. */
export function children(parent: XmlNode, name: string): XmlNode[] {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((one) => (isElement(one) ? one : { '#text': one }));
}

export function texts(parent: XmlNode, ...path: string[]): string[] {
  const found = path.reduce<XmlNode[]>(
    (parents, name) => parents.flatMap((one) => children(one, name)),
    [parent],
  );
  return found.map(ownText).filter((text) => text !== '');
}

/** The text of the first element at a path that has one. */
export const textAt = (parent: XmlNode, ...path: string[]): string | undefined => texts(parent, ...path)[0];

function ownText({ '#text': text, '#cdata': literal }: XmlNode): string {
  const parts = [typeof text === 'string' ? decodeEntities(text) : '', ...[literal ?? []].flat().map(String)];
  return parts.join('').trim();
}

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const maxCodePoint = 0x10ffff;

/**
 * Decodes the five predefined entities and references to characters, once. There is no other entity without a document type
 * declaration (XML 1.0, section 4.6).
 *
 * @throws UnreadableFile for any other one.
 */
function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{1,40})?;?/gi, (whole, name: string = '') => {
    const known = Object.hasOwn(predefined, name) ? predefined[name] : characterOf(name);
    if (known === undefined || !whole.endsWith(';'))
      throw new UnreadableFile('is not well-formed XML: it refers to an unknown entity');
    return known;
  });
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return undefined;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isCharacter = code <= maxCodePoint && !(code >= 0xd800 && code <= 0xdfff) && code > 0;
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
