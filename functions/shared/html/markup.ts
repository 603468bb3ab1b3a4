/** HTML in which nothing from outside can be more than text. */

/** HTML that needs no more escaping. */
export interface Markup {
  readonly markup: string;
}

/** Text of the project's own as markup; what comes from outside has to be escaped instead. */
export const raw = (markup: string): Markup => ({ markup });

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes for text and for attributes in quotes; every character stays what it was. */
export function escaped(value: string): Markup {
  return raw(value.toWellFormed().replace(/[&<>"']/g, (character) => entities[character] ?? ''));
}

/**
 * The one place that escapes: whatever is put in and is not markup already, made one visible line.
 * What has to come back character for character goes in by {@link escaped}.
 */
export function html(strings: TemplateStringsArray, ...values: (string | Markup | Markup[])[]): Markup {
  const shown = values.map((value) => {
    if (Array.isArray(value)) return value.map(({ markup }) => markup).join('');
    return typeof value === 'string' ? escaped(singleLine(value)).markup : value.markup;
  });
  return raw(String.raw({ raw: strings }, ...shown));
}

/**
 * A text from outside as one line: control characters and line breaks become spaces; characters that turn the
 * direction of writing or cannot be seen go (but for the joiners that scripts and emoji need).
 */
export function singleLine(value: string): string {
  const visible = value.toWellFormed().replace(/(?![\u200C\u200D])\p{Cf}/gu, '');
  return visible.replace(/[\p{Cc}\p{Z}]+/gu, ' ');
}
