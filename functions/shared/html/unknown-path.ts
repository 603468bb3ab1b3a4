/** The page of a path that does not exist. API Gateway and the local stack send it; no function does. */
import { html } from './markup.ts';
import { pageFrame } from './page.ts';
import { productName } from './theme.ts';

const frame = pageFrame({
  styles: '.places{margin:0 0 16px;padding:0 0 0 20px}.places li{margin:0 0 4px}',
  footer: html`<p>Programs receive this response as JSON.</p>`,
});

export interface RenderedPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/**
 * The page for an unknown path.
 *
 * @param basePath the path before those of the API, without a trailing slash: empty, or `/prod`.
 */
export function unknownPathPage(basePath: string): RenderedPage {
  const content = html`<h1>Page not found</h1>
<p>The address may be incomplete or out of date. If you followed a link, copy the whole link and try again: a mail program may have
split it into two lines.</p>
<p>Continue with one of these pages:</p>
<ul class="places">
<li><a href="${`${basePath}/`}">${productName} home page</a></li>
<li><a href="${`${basePath}/docs`}">API reference</a></li>
</ul>`;
  return { headers: frame.headers(), html: frame.render({ title: 'Page not found', content }) };
}
