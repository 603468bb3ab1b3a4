/** The reasons of a rejection that reviewers choose from, by their names in the form. The history has the text. */
const reasons = {
  unreachable: 'The address cannot be reached.',
  unproven: 'Nothing at the address shows that it belongs to the user.',
  different: 'The title or the platform does not match the address.',
  imitation: 'The content imitates another person or organization.',
  forbidden: 'The content is not allowed.',
} as const satisfies Readonly<Record<string, string>>;

const texts: ReadonlyMap<string, string> = new Map(Object.entries(reasons));

/** The choices of the form. With the last one, the reviewer enters the reason in their own words alone. */
export const choices = [...texts, ['other', 'Other'] as const];
export const reasonNames = choices.map(([name]) => name);

/** The reason of a rejection: of the list, in the words of the reviewer, or both. Undefined when there is none. */
export function reasonOf({
  reason = '',
  words = '',
}: {
  reason?: string | undefined;
  words?: string | undefined;
}): string | undefined {
  return [texts.get(reason) ?? '', words.trim()].filter((text) => text !== '').join(' ') || undefined;
}
