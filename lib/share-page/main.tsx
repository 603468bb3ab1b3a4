/** The script of the share page: it replaces what the server rendered. */
import { render } from 'preact';
import { ShareClient } from '../client/share.ts';
import { App } from './app.tsx';

// The script is `<api>/assets/share-page-<hash>.js`: the API is found under any domain and any prefix.
const apiUrl = new URL('..', import.meta.url).href.replace(/\/$/, '');
const main = document.querySelector('main');
if (main !== null) {
  main.replaceChildren();
  render(<App client={new ShareClient({ apiUrl })} pageUrl={`${apiUrl}/s`} />, main);
}
