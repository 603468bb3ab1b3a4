import { singleLine } from './text.ts';

export interface Markup {
  readonly markup: string;
}

/** Marks the project's own text as markup. External values are escaped instead. */
export const raw = (markup: string): Markup => ({ markup });

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a value for text and for quoted attributes. Every character is preserved. */
export function escaped(value: string): Markup {
  return raw(value.toWellFormed().replace(/[&<>"']/g, (character) => entities[character] ?? ''));
}

/**
 * The one place that escapes: every inserted value that is not markup is escaped and reduced to one visible
 * line. Use {@link escaped} for a value that must be preserved character for character.
 */
export function html(strings: TemplateStringsArray, ...values: (string | Markup | Markup[])[]): Markup {
  const inserted = values.map((value) => {
    if (Array.isArray(value)) return value.map(({ markup }) => markup).join('');
    return typeof value === 'string' ? escaped(singleLine(value)).markup : value.markup;
  });
  return raw(String.raw({ raw: strings }, ...inserted));
}
