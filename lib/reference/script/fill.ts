/** A text with values in the place of what stands for them in examples. None of these is a part of another one. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((all, [from, to]) => all.replaceAll(from, to), text);
}
