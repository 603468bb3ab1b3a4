/** The blocks of code in a text in Markdown. */

export interface Block {
  language: string;
  source: string;
}

/** All blocks, in order; of some languages only where they are named. */
export function blocksOf(markdown: string, ...languages: readonly string[]): Block[] {
  const blocks = [...markdown.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, language = '', source = '']) => ({ language, source }),
  );
  return blocks.filter(({ language }) => languages.length === 0 || languages.includes(language));
}
