import { Marked } from 'marked';
import { codeBlock, escaped } from './markup.ts';
import { linkFrom, type Place } from './site.ts';

/** A file of `docs/guides`. `guides` is the first of them, its `README.md`; the others have the names of their files. */
export interface Guide {
  readonly name: string;
  /** CommonMark with tables. It begins with its title and a paragraph. */
  readonly text: string;
}

/** The name of the first page of the guides. */
export const guidesName = 'guides';

export const guideTitle = ({ text }: Guide): string => /^# (.+)/.exec(text)?.[1] ?? '';

/** The paragraph below the title. */
export const guideSummary = ({ text }: Guide): string =>
  text.split('\n\n', 2)[1]?.replaceAll('\n', ' ') ?? '';

/**
 * A guide as HTML. A link to another guide, or to the reference of the local stack, leads to that page of this site. A link to a
 * document that has no page becomes its path in the project.
 */
export function guideMarkup({ text }: Guide, place: Place): string {
  const commonMark = new Marked({
    renderer: {
      html: ({ text: markup }) => escaped(markup),
      // A button copies an example. Lines that are printed are no example.
      code: ({ text: source, lang }) => codeBlock(source, lang === 'text' ? '' : ' class="example"'),
      heading({ tokens, depth, text: title }) {
        return `<h${depth} id="${idOf(title)}">${this.parser.parseInline(tokens)}</h${depth}>`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(href, place);
        return target === undefined
          ? `${content} (<code>${escaped(pathOf(href))}</code>)`
          : `<a href="${escaped(target)}">${content}</a>`;
      },
    },
  });
  return commonMark.parse(text, { async: false });
}

const idOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

/** The address of a link; undefined where no page has the document. */
function targetOf(href: string, place: Place): string | undefined {
  const [, page, pageId] = /^http:\/\/localhost:3000\/docs(?:\/(\w+))?(?:#(.+))?$/.exec(href) ?? [];
  if (href.startsWith('http://localhost:3000/docs')) return linkFrom(place, page, pageId);
  if (/^https?:/.test(href)) return href;
  const [, guide, id] = /^([\w-]+)\.md(?:#(.+))?$/.exec(href) ?? [];
  if (guide === undefined) return undefined;
  return linkFrom(place, guide === 'README' ? guidesName : guide, id);
}

/** The path of a document from the root of the project. */
const pathOf = (href: string) => new URL(href, 'file:///docs/guides/').pathname.slice(1);
