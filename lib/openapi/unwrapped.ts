/**
 * CommonMark with each paragraph and each item of a list on one line. Generators of code write each line of a description as
 * a line of a comment. https://spec.commonmark.org/0.31.2/#soft-line-breaks
 */
export const unwrapped = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((block) => (/^(```|\|)/m.test(block) ? block : block.replaceAll(/\s*\n\s*(?!\s*[-*] )/g, ' ')))
    .join('\n\n');
