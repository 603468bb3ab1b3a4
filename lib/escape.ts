const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Escapes text for HTML or XML, between tags or in a quoted attribute. Control characters, which XML cannot represent,
 * become U+FFFD.
 */
export function escapeMarkup(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
      .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '\ufffd')
      .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
  );
}
