import { html, type Markup } from '../../shared/html/markup.ts';

/** Says what the keys of a page do. They need JavaScript, and the page does not. */
export const keysNote = (text: string): Markup =>
  html`<div class="more" data-keys>With JavaScript: ${text} Keys do nothing while a field has the focus.</div>`;
