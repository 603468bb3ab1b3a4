import { Marked } from 'marked';
import { escaped as escapedMarkup } from '../../functions/shared/html/markup.ts';

/** Texts of the contract are CommonMark. Markup in them is text, and so are images: the page loads nothing. */
const commonMark = new Marked({
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    code: ({ text }) => codeBlock(text),
  },
});

/** CommonMark as HTML, in paragraphs. */
export function markdown(text: string): string {
  return commonMark.parse(text, { async: false });
}

/** CommonMark as HTML, within a line. */
export function inlineMarkdown(text: string): string {
  return commonMark.parseInline(text, { async: false });
}

/** Text as HTML in which it is only text. */
export const escaped = (text: string): string => escapedMarkup(text).markup;

export const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** A list, or nothing for no items. */
export function list(items: readonly string[], className = ''): string {
  if (items.length === 0) return '';
  const attribute = className === '' ? '' : ` class="${className}"`;
  return `<ul${attribute}>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

/** A block of code, whose lines wrap: one that scrolls would need a tab stop of its own. */
export function codeBlock(text: string, attributes = ''): string {
  return `<pre${attributes}><code>${escaped(text)}</code></pre>`;
}
