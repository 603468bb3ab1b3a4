/** The output that the examples of the documentation show. */
import type { Block } from './blocks.ts';

/** The lines of output that an example shows in comments: behind a call of `console.log`, or on lines of a shell's own. */
export function shownLines({ language, source }: Block): string[] {
  const shown = language === 'sh' ? /^# (.*)$/gm : /console\.log\(.*\);(?: \/\/|\n +\/\/) (.*)$/gm;
  return [...source.matchAll(shown)].map(([, line = '']) => line);
}

/** The pattern of a shown line: `...` stands for anything, a time for any time. */
export function outputPattern(line: string): RegExp {
  const pattern = line
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('\\.\\.\\.', '.*')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\\\.\d{3}Z/g, '[0-9T:.-]+Z')
    .replaceAll(/ {2,}/g, ' +');
  return new RegExp(`^\\s*${pattern}\\s*$`);
}

/** Printed lines, those as they are shown that fit the line shown in their place: equal to the shown ones if all do. */
export function asShown(output: string, shown: readonly string[]): string[] {
  const printed = output === '' ? [] : output.trimEnd().split('\n');
  return printed.map((line, i) => {
    const expected = shown[i];
    return expected !== undefined && outputPattern(expected).test(line) ? expected : line;
  });
}
