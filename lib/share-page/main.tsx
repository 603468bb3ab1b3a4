/** The script of the share page: it replaces what the server rendered. */
import { render } from 'preact';
import { ShareClient } from '../client/share.ts';
import { App } from './app.tsx';
import { Insecure } from './problems.tsx';

// The script is `<api>/assets/share-page-<hash>.js`: the API is found under any domain and any prefix.
const apiUrl = new URL('..', import.meta.url).href.replace(/\/$/, '');
/** Browsers offer encryption to secure contexts alone. https://w3c.github.io/webappsec-secure-contexts */
const canEncrypt = () => globalThis.crypto?.subtle !== undefined;
const main = document.querySelector('main');
if (main !== null) {
  main.replaceChildren();
  render(
    canEncrypt() ? (
      <App client={new ShareClient({ apiUrl })} pageUrl={`${apiUrl}/s`} />
    ) : (
      // Reads no key: the link in the address can be tried over HTTPS.
      <Insecure />
    ),
    main,
  );
}
